import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Death, temporaryFolder } from '../../local/children.ts'
import { freePort } from '../../local/ports.ts'
import { startServer } from '../../local/postgres-server.ts'
import { PROJECT } from '../../local/project.ts'

const home = temporaryFolder('start')
const folder = join(home.path, 'kept')
const ports = { sandbox: await freePort(), live: await freePort() }
const started: ChildProcess[] = []

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await home.drop()
})

/** What `npm start` runs after its preflight. */
const start = (...options: string[]) => startWith({}, `--folder=${folder}`, ...options)

function startWith(variables: Record<string, string>, ...options: string[]) {
  const env = { ...process.env, ...variables }
  const args = ['local/start.ts', ...options]
  const child = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended, output: () => output }
}

const onOurPorts = [`--port-sandbox=${ports.sandbox}`, `--port-live=${ports.live}`]

async function running(...options: string[]) {
  const run = start(...onOurPorts, ...options)
  await expect.poll(run.output, { timeout: 240_000, interval: 100 }).toContain('Ctrl-C stops it')
  return run
}

function listening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Runs the curl line that was printed. */
async function pasted(output: string): Promise<unknown> {
  const line = output.split('\n').find((each) => each.trim().startsWith('curl '))
  return JSON.parse(execFileSync('sh', ['-c', line ?? 'false'], { encoding: 'utf8' }))
}

function childrenOf(parent: ChildProcess, command: string): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return listed.flatMap((line) => {
    const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+[^Z]\S*\s+(.*)$/.exec(line) ?? []
    const isWanted = Number(ppid) === parent.pid && new RegExp(command).test(args) && !args.startsWith('ps ')
    return isWanted ? [Number(pid)] : []
  })
}

const isAlive = (pid: number): boolean =>
  execFileSync('sh', ['-c', `ps -o stat= -p ${pid} || true`], { encoding: 'utf8' })
    .trim()
    .replace(/^Z.*/, '') !== ''

const facts = () => JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8'))

describe('npm start', () => {
  test('brings everything up, says where it is, and stops all of it on Ctrl-C', async () => {
    const run = await running()
    for (const step of ['PostgreSQL', 'Redis', 'migrations', 'build', 'Workers']) {
      expect(run.output()).toMatch(new RegExp(`^ +${step} .*\\d+ ms$`, 'm'))
    }
    expect(statSync(join(folder, 'stack.json')).mode & 0o777).toBe(0o600)
    expect(facts()).toMatchObject({
      sandbox: { base_url: `http://localhost:${ports.sandbox}`, link_base_url: `localhost:${ports.sandbox}` },
      live: { base_url: `http://localhost:${ports.live}`, link_base_url: `localhost:${ports.live}` },
    })
    const { demo } = facts()
    expect(demo).toEqual({
      email: expect.stringMatching(/@example\.com$/),
      password: expect.any(String),
      totp_secret: expect.stringMatching(/^[A-Z2-7]{32,}$/),
      tenant_id: expect.any(String),
      api_key: expect.stringMatching(/^sk_sbx_/),
      payment_link_url: expect.stringMatching(`^http://localhost:${ports.sandbox}/splink_[a-z0-9]{32}$`),
    })
    for (const told of [
      `http://localhost:${ports.sandbox}/docs`,
      demo.email,
      demo.password,
      demo.payment_link_url,
    ]) {
      expect(run.output()).toContain(told)
    }
    expect((await fetch(demo.payment_link_url)).status).toBe(200)
    expect(await pasted(run.output())).toMatchObject({ object: 'list', data: [], has_more: false })

    const second = await start(`--port-sandbox=${ports.sandbox}`).ended
    expect(second).toEqual({
      code: 1,
      output: `Port ${ports.sandbox} is taken: stop what listens there, or choose another with \`npm start -- --folder=${folder} --port-sandbox=PORT\`\n`,
    })
    const reset = await start('--reset').ended
    expect(reset.code).toBe(1)
    expect(reset.output).toMatch(
      /^The data folder .* is in use by another PostgreSQL .*: stop that `npm start` first\n$/,
    )

    run.child.kill('SIGINT')
    expect((await run.ended).code).toBe(0)
    expect(await Promise.all([listening(ports.sandbox), listening(ports.live)])).toEqual([false, false])
  })

  test('keeps its data between runs, names and starts again what dies, and leaves no process behind a kill', async () => {
    const { demo } = facts()
    const run = await running()
    onTestFinished(() => void run.child.kill('SIGKILL'))
    expect(facts().demo).toEqual(demo)
    const listing = async () => (await fetch(facts().demo.payment_link_url)).status
    for (const [server, command] of [
      ['Redis', 'redis-server'],
      ['PostgreSQL', `postgres -D ${folder}`],
      ['The Worker spindle-(sandbox|live)', 'workerd serve'],
    ] as const) {
      const [pid] = childrenOf(run.child, command)
      if (pid === undefined) continue // no redis-server on this machine
      process.kill(pid, 'SIGKILL')
      // PostgreSQL writes each file of its folder to the disk before it recovers.
      await expect.poll(run.output, { timeout: 300_000 }).toMatch(new RegExp(`${server} died .* runs again`))
      await expect.poll(listing).toBe(200)
    }
    const pids = childrenOf(run.child, '.')
    run.child.kill('SIGKILL')
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  test('says in one line that the data folder is broken, and --reset repairs it', async () => {
    rmSync(join(folder, 'postgres', 'global', 'pg_control'))
    const broken = await start(...onOurPorts).ended
    expect(broken.code).toBe(1)
    const advice = `npm start -- --folder=${folder} ${onOurPorts.join(' ')} --reset`
    expect(broken.output.trim().split('\n').at(-1)).toMatch(
      new RegExp(`^The data folder .* is broken \\(.*\\): run \`${advice}\` to begin with an empty one$`),
    )
    const { demo } = facts()
    const run = await running('--reset')
    expect(facts().demo.api_key).not.toBe(demo.api_key)
    run.child.kill('SIGINT')
    expect((await run.ended).code).toBe(0)
  })

  test('a broken secrets.json is reported and left as it is', async () => {
    const file = join(home.path, 'broken', 'secrets.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{"passwords":')
    const { code, output } = await start(`--folder=${dirname(file)}`).ended
    expect([code, output]).toEqual([
      1,
      `${file} is broken: it holds the secrets of the data beside it. Bring back the file as it was, or run \`npm start -- --folder=${folder} --folder=${dirname(file)} --reset\` to begin with an empty folder\n`,
    ])
    expect(readFileSync(file, 'utf8')).toBe('{"passwords":')
  })

  test.each([
    [['--port-sandbox=0'], '"0" is not a port\n'],
    [['--port-sandbox=9000', '--port-live=9000'], 'The two environments need two ports\n'],
    [['--neon-limit=0'], '"0" is not a number of calls per second\n'],
    [['--nonsense'], "Unknown option '--nonsense': see npm start -- --help\n"],
  ])('%j is refused in one line', async (options, output) => {
    expect(await start(...options).ended).toEqual({ code: 1, output })
  })

  test('a folder that is a file is refused in one line', async () => {
    const { code, output } = await start(`--folder=${join(folder, 'stack.json')}`).ended
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^.*stack\.json cannot be used as a folder: .*\n$/),
    ])
  })

  test('--help lists the options', async () => {
    const { code, output } = await start('--help').ended
    expect(code).toBe(0)
    for (const option of ['--reset', '--port-sandbox', '--port-live', '--folder'])
      expect(output).toContain(option)
  })
})

test('a killed PostgreSQL starts again once the last of its processes has ended', async () => {
  const dataFolder = join(home.path, 'killed')
  const deaths: Death[] = []
  const waits: string[] = []
  const server = await startServer({
    dataFolder,
    superuserPassword: 'kept',
    fast: true,
    onDeath: (death) => deaths.push(death),
    onWait: (text) => waits.push(text),
  })
  const client = new pg.Client({ host: '127.0.0.1', port: server.port, user: 'postgres', password: 'kept' })
  client.on('error', () => {})
  await client.connect()
  await client.query('create table kept as select 1 as row')
  await client.query('checkpoint')
  const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
  process.kill(backend, 'SIGSTOP')
  onTestFinished(() => void (isAlive(backend) && process.kill(backend, 'SIGKILL')))
  process.kill(server.pid(), 'SIGKILL')
  await expect
    .poll(() => waits)
    .toEqual([expect.stringMatching(/still use the data folder .*nothing is lost/)])
  process.kill(backend, 'SIGCONT')
  await expect.poll(() => deaths).toMatchObject([{ restarted: true }])
  const again = new pg.Client({ host: '127.0.0.1', port: server.port, user: 'postgres', password: 'kept' })
  await again.connect()
  expect((await again.query('select * from kept')).rows).toEqual([{ row: 1 }])
  await again.end()
  await server.stop()
})

test('a PostgreSQL that runs already is used, and goes on running', async () => {
  const superuserPassword = 'of a server that is not ours'
  const dataFolder = join(home.path, 'theirs')
  const server = await startServer({ dataFolder, superuserPassword, fast: true })
  const url = (database: string) =>
    `postgresql://postgres:${encodeURIComponent(superuserPassword)}@127.0.0.1:${server.port}/${database}`
  const own = join(home.path, 'beside')
  const run = startWith({ DATABASE_URL: url('postgres') }, `--folder=${own}`, ...onOurPorts)
  await expect.poll(run.output, { timeout: 240_000, interval: 100 }).toContain('Ctrl-C stops it')
  expect(run.output()).toMatch(/^ +PostgreSQL of DATABASE_URL .*\d+ ms$/m)
  expect(await pasted(run.output())).toMatchObject({ object: 'list', data: [] })
  expect(existsSync(join(own, 'postgres'))).toBe(false)
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(0)
  const client = new pg.Client({ connectionString: url('spindle_sandbox') })
  await client.connect()
  expect((await client.query('select count(*)::int as n from payment_links')).rows).toEqual([{ n: 1 }])
  await client.end()
  await server.stop()
})

test.each([
  ['not a url', /^DATABASE_URL is not a URL: it should look like postgresql:.*\n$/],
  [
    'postgresql://nobody:x@127.0.0.1:9/postgres',
    /^PostgreSQL at 127\.0\.0\.1:9 could not be prepared, see DATABASE_URL: .*\n$/,
  ],
])('DATABASE_URL that leads nowhere, %j: one line', async (url, says) => {
  const { code, output } = await startWith(
    { DATABASE_URL: url },
    `--folder=${join(home.path, 'nowhere')}`,
    ...onOurPorts,
  ).ended
  expect(code).toBe(1)
  expect(
    output
      .split('\n')
      .filter((line) => !line.startsWith('  '))
      .join('\n'),
  ).toMatch(says)
})

test('a port that another program uses is named', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { output } = await start(`--port-live=${port}`, `--port-sandbox=${await freePort()}`).ended
  expect(output).toContain(`Port ${port} is taken`)
  expect(output).toContain('--port-live=PORT')
  other.close()
})
