import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { base64UrlOf, utf8 } from '../src/attestation/bytes.ts'
import { sandboxText } from '../src/attestation/sandbox.ts'
import type { Json } from '../src/kernel/json.ts'
import { answersTo, type Input, isAttended } from './device-inputs.ts'
import {
  type Allowance,
  type Batch,
  forward,
  newSigningKey,
  type SigningKey,
  type Stored,
  withoutNetwork,
} from './device-offline.ts'
import { failed, StackError } from './errors.ts'
import { sandboxOf, sandboxOptions } from './sandbox-options.ts'
import { ask, type Sandbox } from './simulate.ts'

const HELP = `npm run device -- --pair CODE [--offline-seconds 60] [--base URL --key sk_sbx_…]

A reader in the terminal, or a phone where the code is one of a phone: it pairs with the code, asks what to do, and shows
it. It chooses the first tip that is offered, asks for inputs here, or answers by itself where nobody can type, shows
lines, prints receipts and answers pings. Each payment that a merchant's backend asks of it waits for a test card, which is presented with its own address in the sandbox. A phone attests itself
and opens its session first. With --offline-seconds a reader loses its network after its first question for so long: a
buyer pays 120.00 every five seconds, as long as its configuration allows, and the reader stores it and forwards it
afterwards. Ctrl-C switches it off.`

interface Paired {
  readonly id: string
  readonly object: 'reader' | 'phone'
  readonly name: string
  readonly location_id: string
  readonly one_time_value: string
}

interface Action {
  readonly id: string
  readonly type: 'process_payment' | 'collect_tip' | 'collect_input' | 'display' | 'print' | 'ping'
  readonly amount: string | null
  readonly currency: string | null
  readonly tip: {
    amount: string
    currency: string
    presets: { amount: string }[]
    allows_none: boolean
  } | null
  readonly inputs: Input[] | null
  readonly display: { cart: Cart | null } | null
  readonly print: { path: string } | null
}

interface Cart {
  readonly line_items: { name: string; quantity: number; amount_total: string }[]
  readonly amount: string
  readonly currency: string
}

interface Next {
  readonly action: Action | null
  readonly ask_again_seconds: number
  readonly offline_allowance: Allowance | null
}

/**
 * Runs the reader until it is switched off, or for \`actionsMax\` actions. Returns its exit code.
 * @throws Error with one line that says what to do
 */
export async function device(args: string[], actionsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      ...sandboxOptions,
      pair: { type: 'string' },
      'offline-seconds': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  if (!values.pair) throw new StackError(`Name the code that the reader shall pair with.\n\n${HELP}`)
  const seconds = Number(values['offline-seconds'] ?? 0)
  if (!(seconds >= 0)) throw new StackError(`Name the seconds without a network as a number.\n\n${HELP}`)
  const sandbox = await sandboxOf(values)
  const key = await newSigningKey()
  const paired = await ask<Paired>({ ...sandbox, apiKey: values.pair }, '/v1/device/pair', {
    model: 'npm run device',
    signing_key: key.publicKey,
  })
  const reader = { ...sandbox, apiKey: paired.one_time_value }
  console.log(`${paired.name} is paired: ${paired.object} ${paired.id}`)
  if (paired.object === 'phone') {
    await attest(reader, key)
    await openSession(sandbox, reader, paired)
  }
  const send = (batch: object) => ask<Batch>(reader, '/v1/device/offline-payments', batch as Json)
  const everyMs = Math.min(5, seconds) * 1000
  let isLosing = seconds > 0
  let kept: Stored[] = []
  for (let done = 0; done < actionsMax; ) {
    const {
      action,
      ask_again_seconds,
      offline_allowance: allowance,
    } = await ask<Next>(reader, '/v1/device/next-action', undefined, 'GET')
    if (isLosing && allowance) {
      const storing = { key: key.privateKey, allowance }
      kept = await withoutNetwork(send, storing, { seconds, amount: '12000', everyMs })
      done++
    } else if (isLosing) console.log('no configuration allows this reader to store payments')
    else if (kept.length > 0) kept = await forward(send, kept, everyMs)
    isLosing = false
    if (action) {
      await (action.type === 'process_payment' ? take : does)(reader, paired, action).catch(ofEnded)
      done++
    }
    await delay(ask_again_seconds * 1000)
  }
  return 0
}

/** The action ended while the reader worked on it: it was canceled, or its time was over. */
function ofEnded(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('reader_action_over'))) throw error
  console.log('over')
}

/** A phone of the sandbox proves that it has its key, and says of the rest that it is genuine. */
async function attest(phone: Sandbox, { privateKey, publicKey: key }: SigningKey) {
  const at = '/v1/device/attestation-challenges'
  const { challenge } = await ask<{ challenge: string }>(phone, at)
  const said = { challenge, app: 'com.example.pos', outcome: 'genuine' as const }
  const ecdsa = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(ecdsa, privateKey, utf8(sandboxText(said)))
  const statement = base64UrlOf(new Uint8Array(signature))
  await ask(phone, '/v1/device/attestations', { ...said, provider: 'sandbox', key, statement })
}

/** The merchant's backend asks for a token, and the phone redeems it. */
async function openSession(backend: Sandbox, phone: Sandbox, { id, location_id }: Paired) {
  const at = '/v1/tap-to-pay/connection_tokens'
  const { secret } = await ask<{ secret: string }>(backend, at, { device_id: id, location_id })
  const { session_id } = await ask<{ session_id: string }>(phone, `${at}/redeem`, { secret })
  console.log(`session ${session_id} is open`)
}

const inPesos = (minor: string) => `${minor.slice(0, -2) || '0'}.${minor.slice(-2).padStart(2, '0')}`

/** Does what takes no payment, and says that it has. */
async function does(reader: Sandbox, _paired: Paired, { id, type, tip, inputs, display, print }: Action) {
  const report = (more: object = {}) =>
    ask(reader, `/v1/device/actions/${id}/result`, { outcome: 'completed', ...more })
  if (tip) {
    const [first] = tip.presets
    const chosen = first ? { preset: 0 } : tip.allows_none ? { none: true } : { other: '1' }
    console.log(`a tip on ${inPesos(tip.amount)} ${tip.currency}: ${JSON.stringify(chosen)}`)
    return report({ tip: chosen })
  }
  if (inputs) {
    console.log(`${inputs.length} inputs`)
    for (;;)
      try {
        return await report({ answers: await answersTo(inputs) })
      } catch (error) {
        // Who has mistyped is asked once more.
        if (!isAttended || !(error instanceof Error && error.message.includes(': 422 '))) throw error
        console.log(error.message)
      }
  }
  if (display) {
    const { line_items: lines = [], amount = '0', currency = '' } = display.cart ?? {}
    for (const { name, quantity, amount_total } of lines)
      console.log(`${quantity} × ${name}  ${inPesos(amount_total)}`)
    console.log(display.cart ? `${inPesos(amount)} ${currency}` : 'the screen is cleared')
  }
  if (print) {
    const reply = await fetch(reader.baseUrl + print.path, {
      headers: { authorization: `Bearer ${reader.apiKey}` },
    })
    if (!reply.ok) return report({ outcome: 'failed' })
    console.log(`${(await reply.arrayBuffer()).byteLength} bytes for the printer`)
  }
  if (type === 'ping') console.log('pong')
  return report()
}

/** Shows what to pay, and waits until that is over. */
async function take(reader: Sandbox, { id: deviceId, object }: Paired, { id, ...asked }: Action) {
  const at = `/v1/device/actions/${id}`
  console.log(
    `${inPesos(asked.amount ?? '0')} ${asked.currency}: POST /v1/sandbox/${object === 'phone' ? `devices/${deviceId}/tap` : `readers/${deviceId}/present-card`}`,
  )
  await ask(reader, `${at}/progress`, { step: 'waiting_for_card' })
  for (;;) {
    const { status } = await ask<{ status: string }>(reader, at, undefined, 'GET')
    if (status !== 'in_progress') {
      const outcome = { succeeded: 'completed', failed: 'failed' }[status]
      // Of what was canceled, or is not known yet, a device has nothing to say.
      if (outcome) await ask(reader, `${at}/result`, { outcome })
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
