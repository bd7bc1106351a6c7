import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newSecret } from '../../../functions/webhooks/signing.ts'
import { PROJECT } from '../../../local/project.ts'
import { recipes } from '../../../local/simulate.ts'
import { eventTypeNames } from '../../../src/kernel/event-types.ts'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { deliveryIn } from './story.ts'

const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill()
})

/** A command as a developer would run it; `printed` is what it has said so far. */
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
  return { printed: () => said.text, ended }
}

async function receiverWith(secret: string) {
  const receiver = run(['docs/examples/receive-webhooks.mjs'], { WEBHOOK_SECRET: secret, PORT: '0' })
  await expect.poll(receiver.printed, { timeout: 10_000 }).toMatch(/listening on http:\/\/localhost:\d+/)
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
  await expect.poll(receiver.printed, { timeout: 10_000 }).toContain(`payment_link.created ${link.id} active`)

  const list = await call<{ data: { id: string }[] }>('GET', '/v1/webhooks/deliveries', { bearer })
  await call('POST', `/v1/webhooks/deliveries/${list.body.data[0]!.id}/redeliver`, { bearer })
  await expect.poll(receiver.printed, { timeout: 10_000 }).toContain('duplicate payment_link.created')

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
  await expect.poll(receiver.printed, { timeout: 10_000 }).toContain('duplicate payment_link.created')
})

test('npm run listen forwards what npm run trigger makes happen', { timeout: 60_000 }, async () => {
  const merchant = await newMerchant()
  const secret = newSecret()
  const receiver = await receiverWith(secret)
  const sandbox = ['--base', stack.sandbox.directUrl, '--key', merchant.apiKey]
  const listening = run([
    'local/listen.ts',
    ...['--forward', `${receiver.url}/hook`, '--secret', secret, '--events=payment.*'],
    ...sandbox,
  ])
  await expect.poll(listening.printed, { timeout: 10_000 }).toContain('Forwarding to')
  const triggered = run(['local/trigger.ts', 'payment.succeeded', ...sandbox])
  expect(await triggered.ended, triggered.printed()).toBe(0)
  await expect.poll(listening.printed, { timeout: 15_000 }).toMatch(/payment\.succeeded .* 204 {2}\d+ ms/)
  expect(receiver.printed()).toMatch(/payment\.succeeded [0-9a-f-]{36} succeeded/)
  expect(listening.printed()).not.toContain('payment_link.')
})

test.each(Object.entries(recipes))('%s really happens', async (type, recipe) => {
  expect(eventTypeNames).toContain(type)
  const merchant = await newMerchant()
  await recipe({ baseUrl: stack.sandbox.directUrl, apiKey: merchant.apiKey })
  const happened = async () => {
    await trigger('sandbox')
    const rows = await adminSql('sandbox')<{ type: string }>('select type from events where tenant_id = $1', [
      merchant.tenantId,
    ])
    return rows.map((row) => row.type)
  }
  await expect.poll(happened, { timeout: 15_000 }).toContain(type)
})

test('a type without a recipe is told so, with those that there are', async () => {
  const { ended, printed } = run(['local/trigger.ts', 'payment.nonsense'])
  expect(await ended).toBe(2)
  expect(printed()).toContain('payment.succeeded')
})
