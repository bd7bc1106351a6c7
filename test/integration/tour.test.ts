import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../local/children.ts'
import { demoTenant } from '../../local/demo.ts'
import { PROJECT } from '../../local/project.ts'
import { openLink, pay } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'

const home = temporaryFolder('tour')
afterAll(() => home.drop())

/** The blocks of the README's tour, for the addresses and the demo tenant of this stack. */
function blocks(): string[] {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
  const tour = readme.slice(readme.indexOf('## A five-minute tour'), readme.indexOf('## Test cards'))
  return [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) =>
    (block as string)
      .replace('http://localhost:8787', stack.sandbox.baseUrl)
      .replace('./.local/stack.json', join(home.path, 'stack.json'))
      .replaceAll('/tmp/spindle-payments.json', join(home.path, 'payments.json')),
  )
}

/** One shell, as a reader would have it: `run` gives what a block printed. */
function terminal() {
  const shell = spawn('bash', [], { cwd: PROJECT, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return {
    end: () => shell.stdin.end(),
    run: async (block: string): Promise<string> => {
      printed = ''
      shell.stdin.write(`${block}\necho; echo __DONE__\n`)
      await new Promise<void>((done) => {
        const look = () => {
          if (!printed.includes('__DONE__')) return
          shell.stdout.off('data', look)
          done()
        }
        shell.stdout.on('data', look)
      })
      return printed.replace('__DONE__', '').trim()
    },
  }
}

test('the tour of the README works word for word', { timeout: 60_000 }, async () => {
  const demo = await demoTenant(stack.sandbox.baseUrl, home.path)
  writeFileSync(join(home.path, 'stack.json'), JSON.stringify({ demo }))
  const [names, create, read, retry, fail, key] = blocks() as [string, string, string, string, string, string]
  const { run, end } = terminal()
  await run(names)

  const made = await run(create)
  const publicId = /Pay here: .*\/(splink_[a-z0-9]{32})$/.exec(made)?.[1] as string
  expect(await pay(publicId, await openLink(publicId), 'tok_sbx_approve', 1)).toMatchObject({ status: 303 })

  const [payments, journals] = (await run(read)).replaceAll('}{', '}\n{').split('\n') as [string, string]
  expect(JSON.parse(payments).data[0]).toMatchObject({ status: 'succeeded', amount: '120000' })
  const { postings } = JSON.parse(journals).data[0] as { postings: { amount: string }[] }
  expect(postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(0n)

  const retried = await run(retry)
  expect(retried).toMatch(/^HTTP\/1\.1 201[\s\S]*idempotent-replayed: true/i)
  expect(retried).toContain(publicId)
  expect(JSON.parse(await run(fail))).toMatchObject({ error: { code: 'idempotency_key_reused' } })
  expect(JSON.parse(await run(key))).toMatchObject({
    object: 'service.v1.api_key',
    one_time_value: expect.stringMatching(/^sk_sbx_/),
    key: { description: 'Tour', status: 'active' },
  })
  end()
})
