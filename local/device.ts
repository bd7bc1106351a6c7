import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { failed, StackError } from './errors.ts'
import { sandboxOf, sandboxOptions } from './sandbox-options.ts'
import { ask, type Sandbox } from './simulate.ts'

const HELP = `npm run device -- --pair CODE [--base URL --key sk_sbx_…]

A reader in the terminal, or a phone where the code is one of a phone: it pairs with the code, asks what to do, and shows
it. Each payment that a merchant's backend asks of it waits for a test card, which is presented with its own address in the
sandbox. A phone opens its session first. Ctrl-C switches it off.`

interface Paired {
  readonly id: string
  readonly object: 'reader' | 'phone'
  readonly name: string
  readonly location_id: string
  readonly one_time_value: string
}

interface Next {
  readonly action: { id: string; amount: string; currency: string; expires_at: string } | null
  readonly ask_again_seconds: number
}

/**
 * Runs the reader until it is switched off, or for \`actionsMax\` actions. Returns its exit code.
 * @throws Error with one line that says what to do
 */
export async function device(args: string[], actionsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { ...sandboxOptions, pair: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  if (!values.pair) throw new StackError(`Name the code that the reader shall pair with.\n\n${HELP}`)
  const sandbox = await sandboxOf(values)
  const paired = await ask<Paired>({ ...sandbox, apiKey: values.pair }, '/v1/device/pair', {
    model: 'npm run device',
  })
  const reader = { ...sandbox, apiKey: paired.one_time_value }
  console.log(`${paired.name} is paired: ${paired.object} ${paired.id}`)
  if (paired.object === 'phone') await openSession(sandbox, reader, paired)
  for (let done = 0; done < actionsMax; ) {
    const { action, ask_again_seconds } = await ask<Next>(reader, '/v1/device/next-action', undefined, 'GET')
    if (action) {
      await take(reader, paired, action)
      done++
    }
    await delay(ask_again_seconds * 1000)
  }
  return 0
}

/** The merchant's backend asks for a token, and the phone redeems it. */
async function openSession(backend: Sandbox, phone: Sandbox, { id, location_id }: Paired) {
  const at = '/v1/tap-to-pay/connection_tokens'
  const { secret } = await ask<{ secret: string }>(backend, at, { device_id: id, location_id })
  const { session_id } = await ask<{ session_id: string }>(phone, `${at}/redeem`, { secret })
  console.log(`session ${session_id} is open`)
}

/** Shows what to pay, and waits until that is over. */
async function take(
  reader: Sandbox,
  { id: deviceId, object }: Paired,
  { id, ...asked }: NonNullable<Next['action']>,
) {
  const at = `/v1/device/actions/${id}`
  const amount = `${asked.amount.slice(0, -2) || '0'}.${asked.amount.slice(-2).padStart(2, '0')}`
  console.log(
    `${amount} ${asked.currency}: POST /v1/sandbox/${object === 'phone' ? `devices/${deviceId}/tap` : `readers/${deviceId}/present-card`}`,
  )
  await ask(reader, `${at}/progress`, { step: 'waiting_for_card' })
  for (;;) {
    const { status } = await ask<{ status: string }>(reader, at, undefined, 'GET')
    if (status !== 'in_progress') {
      await ask(reader, `${at}/result`, { outcome: status === 'succeeded' ? 'completed' : 'failed' })
      console.log(status)
      return
    }
    await delay(1000)
  }
}

if (import.meta.main)
  device(process.argv.slice(2)).then((code) => {
    process.exitCode = code
  }, failed)
