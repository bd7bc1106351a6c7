import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { newSecret } from '../../../functions/developer/webhooks/signing.ts'
import { reasonOf } from '../../../local/errors.ts'
import { PROJECT } from '../../../local/project.ts'
import { recipes } from '../../../local/recipes.ts'
import { attack } from '../../../local/simulate-attack.ts'
import { triggered } from '../../../local/trigger.ts'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { settingsFor } from '../../support/payouts.ts'
import { newEndpoint } from '../../support/receiver.ts'
import type { Risk } from '../../support/risk.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { pass } from '../../support/stolen-cards.ts'
import { endow } from '../../support/transfers.ts'
import { deliveryIn } from './story.ts'

const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill()
})

/** A command as a developer would run it; `printed` is its output so far. */
function run(args: readonly string[], env: Record<string, string> = {}, command = process.execPath) {
  const child = spawn(command, args, { cwd: PROJECT, env: { ...process.env, ...env } })
  running.push(child)
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.text += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { printed: () => said.text, ended, kill: () => child.kill() }
}

async function receiverWith(secret: string) {
  const receiver = run(['docs/examples/receive-webhooks.mjs'], { WEBHOOK_SECRET: secret, PORT: '0' })
  await expect.poll(receiver.printed).toMatch(/listening on http:\/\/localhost:\d+/)
  const url = /http:\/\/localhost:\d+/.exec(receiver.printed())![0].replace('localhost', '127.0.0.1')
  return { ...receiver, url }
}

test('the example receiver takes real deliveries, each once, and refuses forgeries', async () => {
  const merchant = await newMerchant()
  const url = 'http://127.0.0.1:9/'
  const { id, secret } = await newEndpoint(merchant, url, ['payment_link.*'])
  const receiver = await receiverWith(secret)
  const bearer = merchant.apiKey
  await call('PATCH', `/v1/webhooks/endpoints/${id}`, { bearer, body: { url: `${receiver.url}/hook` } })
  const link = await newLink(merchant)
  await expect.poll(receiver.printed).toContain(`payment_link.created ${link.id} active`)

  const list = await call<{ data: { id: string }[] }>('GET', '/v1/webhooks/deliveries', { bearer })
  await call('POST', `/v1/webhooks/deliveries/${list.body.data[0]!.id}/redeliver`, { bearer })
  await expect.poll(receiver.printed).toContain('duplicate payment_link.created')

  const forged = await fetch(`${receiver.url}/hook`, {
    method: 'POST',
    headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
    body: '{}',
  })
  expect(forged.status).toBe(400)
})

test('what the page says about trying a receiver works word for word', async () => {
  const page = readFileSync(join(PROJECT, 'docs/webhooks.md'), 'utf8')
  const [, block] = /## Try your receiver[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)!
  const merchant = await newMerchant()
  const { id, secret } = await newEndpoint(merchant, 'http://127.0.0.1:9/', ['payment_link.*'])
  const receiver = await receiverWith(secret)
  const bearer = merchant.apiKey
  await call('PATCH', `/v1/webhooks/endpoints/${id}`, { bearer, body: { url: `${receiver.url}/hook` } })
  await newLink(merchant)
  await deliveryIn(merchant, id, 'succeeded')
  const shell = run(['-c', block!], { KEY: bearer, BASE: stack.sandbox.directUrl }, 'bash')
  expect(await shell.ended, shell.printed()).toBe(0)
  expect(shell.printed()).toContain('"object":"sandbox_webhook_deliveries"')
  await expect.poll(receiver.printed).toContain('duplicate payment_link.created')
})

test('npm run listen forwards what npm run trigger makes happen', async () => {
  const merchant = await newMerchant()
  const secret = newSecret()
  const receiver = await receiverWith(secret)
  const sandbox = ['--base', stack.sandbox.directUrl, '--key', merchant.apiKey]
  const listening = run([
    'local/listen.ts',
    ...['--forward', `${receiver.url}/hook`, '--secret', secret, '--events=payment.*'],
    ...sandbox,
  ])
  await expect.poll(listening.printed).toContain('Forwarding to')
  const triggered = run(['local/trigger.ts', 'payment.succeeded', ...sandbox])
  expect(await triggered.ended, triggered.printed()).toBe(0)
  await expect.poll(listening.printed).toMatch(/payment\.succeeded .* 204 {2}\d+ ms/)
  expect(receiver.printed()).toMatch(/payment\.succeeded [0-9a-f-]{36} succeeded/)
  expect(listening.printed()).not.toContain('payment_link.')
})

/** A merchant with everything that recipes need: money, and an account to be paid out to. */
async function provided() {
  const merchant = await newMerchant()
  await settingsFor(merchant)
  await endow(merchant, 100_000n)
  return merchant
}

test('every recipe makes its type really happen', async () => {
  const failed: string[] = []
  const made = await Promise.all(
    Object.entries(recipes).map(async ([type, recipe], at) => {
      const merchant = await provided()
      await delay(at * 50)
      const running = recipe({ baseUrl: stack.sandbox.directUrl, apiKey: merchant.apiKey })
      running.catch((cause) => failed.push(`${type}: ${cause}`))
      return { type, merchant, running }
    }),
  )
  const open = new Map(made.map(({ type, merchant }) => [type, merchant.tenantId]))
  const happened = async () => {
    await trigger('sandbox')
    const rows = await adminSql('sandbox')<{ tenant_id: string; type: string }>(
      'select tenant_id, type from events where tenant_id = any ($1)',
      [[...open.values()]],
    )
    for (const row of rows) if (open.get(row.type) === row.tenant_id) open.delete(row.type)
    return [...failed, ...open.keys()]
  }
  await expect.poll(happened).toEqual([])
  await Promise.all(made.map(({ running }) => running))
})

test('an attack of stolen cards is declined, then confirmed by the bank, then cards pause', async () => {
  const merchant = await newMerchant()
  const said: string[] = []
  const sandbox = { baseUrl: stack.sandbox.directUrl, apiKey: merchant.apiKey }
  await attack(
    sandbox,
    (line) => void said.push(line),
    () => pass(merchant, '31 seconds'),
  )
  expect(said).toContain('5 were declined, then the bank asked to confirm 40')
  const [risk] = said.flatMap((line) => /GET (\S+)/.exec(line)?.[1] ?? [])
  const { body } = await call<Risk>('GET', risk!, { bearer: merchant.apiKey })
  expect(body.evaluations[0]!.features).toMatchObject({ network_failures_hour: 5, is_confirmed: true })
})

test('a type without a recipe is refused, with the types that have one', async () => {
  const { ended, printed } = run(['local/trigger.ts', 'payment.nonsense'])
  expect(await ended).toBe(2)
  expect(printed()).toContain('payment.succeeded')
})

test.each([
  [
    'a type that cannot be made is refused with its reason',
    ['api_key.created'],
    2,
    /signed in and with a step-up proof/,
  ],
  [
    'where nothing runs it says so',
    ['payment.succeeded', '--base', 'http://127.0.0.1:9', '--key', 'k'],
    1,
    /^Nothing answers at http:\/\/127\.0\.0\.1:9: .*npm start/,
  ],
  [
    'where nothing was ever started too',
    ['payment.succeeded', '--folder', '/nowhere'],
    1,
    /^Nothing runs here: start it with `npm start`/,
  ],
] as const)('%s', async (_, args, code, said) => {
  // In this process: another one would load every recipe again.
  const printed: string[] = []
  vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(text))
  const refused = (cause: unknown) => {
    printed.push(reasonOf(cause))
    return 1
  }
  expect(await triggered([...args]).catch(refused)).toBe(code)
  expect(printed.join('\n')).toMatch(said)
  expect(printed.join('\n')).not.toMatch(/\n\s+at /)
})

test('listen says why it cannot reach a server, and sends again', async () => {
  const merchant = await newMerchant()
  const secret = newSecret()
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
  const listening = run([
    'local/listen.ts',
    ...['--forward', `http://127.0.0.1:${port}/hook`, '--secret', secret],
    ...['--base', stack.sandbox.directUrl, '--key', merchant.apiKey],
  ])
  await expect.poll(listening.printed).toContain('Forwarding to')
  const link = await newLink(merchant)
  await expect
    .poll(listening.printed)
    .toMatch(
      /payment_link\.created .* cannot reach http:\S+: nothing listens there \(ECONNREFUSED\); again in 1 s/,
    )
  const receiver = run(['docs/examples/receive-webhooks.mjs'], { WEBHOOK_SECRET: secret, PORT: String(port) })
  await expect.poll(receiver.printed).toContain(`payment_link.created ${link.id}`)
  await expect.poll(listening.printed).toMatch(/payment_link\.created .* 204 {2}\d+ ms/)
})

test.each([
  ['an address that is none', ['--forward', 'notaurl'], '"notaurl" is no address'],
  [
    'a secret that is none',
    ['--forward', 'http://localhost:3000/hook', '--secret', 'x'],
    '--secret takes whsec_',
  ],
])('listen refuses %s before it begins', async (_, args, said) => {
  const listening = run(['local/listen.ts', ...args, '--base', stack.sandbox.directUrl, '--key', 'sk_sbx_x'])
  expect(await listening.ended).toBe(1)
  expect(listening.printed()).toContain(said)
})

test.each([[[]], [['foo']], [['JBSWY3DPEHPK3PXP', 'next']]])('totp %j says what it needs', async (args) => {
  const asked = run(['local/totp.ts', ...args])
  expect(await asked.ended).toBe(1)
  expect(asked.printed()).toMatch(/^npm run -s totp -- SECRET .*\n$/)
})

test('what the page says about following events works word for word, on any port', async () => {
  const page = readFileSync(join(PROJECT, 'docs/webhooks.md'), 'utf8')
  const [, block] = /## Following events instead[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)!
  const merchant = await newMerchant()
  const folder = mkdtempSync(join(tmpdir(), 'follow-'))
  const cursor = join(folder, 'cursor')
  const env = { KEY: merchant.apiKey, BASE: stack.sandbox.directUrl, CURSOR_FILE: cursor }
  const shell = run(['-c', `exec env ${block!}`], env, 'bash')
  try {
    await expect.poll(() => existsSync(cursor)).toBe(true)
    const link = await newLink(merchant)
    await expect.poll(shell.printed).toContain(`payment_link.created ${link.id} 1`)
  } finally {
    shell.kill()
    rmSync(folder, { recursive: true })
  }
})

test('the example that follows events prints each once, also when it begins again', async () => {
  const merchant = await newMerchant()
  const folder = mkdtempSync(join(tmpdir(), 'follow-'))
  const follow = () =>
    run(['docs/examples/follow-events.mjs'], {
      SPINDLE_URL: stack.sandbox.directUrl,
      SPINDLE_API_KEY: merchant.apiKey,
      CURSOR_FILE: join(folder, 'cursor'),
    })
  try {
    const first = follow()
    await expect.poll(() => existsSync(join(folder, 'cursor'))).toBe(true)
    const before = await newLink(merchant)
    await expect.poll(first.printed).toContain(`payment_link.created ${before.id} 1`)
    // It saves its cursor after what it prints: killed in between, it would print the event again.
    const printedAtMs = Date.now()
    await expect.poll(() => statSync(join(folder, 'cursor')).mtimeMs).toBeGreaterThan(printedAtMs)
    first.kill()
    await first.ended
    const after = await newLink(merchant)
    const second = follow()
    await expect.poll(second.printed).toContain(`payment_link.created ${after.id} 1`)
    expect(second.printed()).not.toContain(before.id)
    second.kill()
    await second.ended
  } finally {
    rmSync(folder, { recursive: true })
  }
})
