import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newSecret, signedHeaders } from '../functions/developer/webhooks/signing.ts'
import { takes } from '../src/kernel/event-types.ts'
import { importSecret } from '../src/platform/standard-webhooks.ts'
import { failed, reasonOf, StackError } from './errors.ts'
import { type FollowedEvent, follower, unreachable } from './following.ts'
import { sandboxOf, sandboxOptions } from './sandbox-options.ts'

const HELP = `npm run listen -- --forward http://localhost:3000/hook [options]

Forwards a sandbox's events to a server on your machine, signed as a delivery signs them, from now on, until Ctrl-C.
What is not taken is sent again after 1, 2, 5, 10 and 30 seconds.

  --events=payment.*   only these types; may be given more than once
  --secret=whsec_…     sign with this secret; without it one is made and shown
  --folder=.local      the folder of that \`npm start\`, where it is another
  --base, --key        another sandbox than that of \`npm start\`; the API key needs webhooks:read and
                       the scopes to read what the events are about`

const POLL_MS = 500
/** Real deliveries are retried after seconds, minutes and hours; here retries come sooner and end sooner. */
const RETRY_SECONDS = [1, 2, 5, 10, 30]

type Forwarded = { taken: boolean; said: string }

/** Forwards one event, once. */
async function forwardOnce(event: FollowedEvent, to: string, key: CryptoKey): Promise<Forwarded> {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = await signedHeaders({ id: event.id, timestamp, body }, [key])
  const startedAt = performance.now()
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.arrayBuffer()
    const took = Math.round(performance.now() - startedAt)
    return { taken: response.ok, said: `${response.status}  ${took} ms` }
  } catch (cause) {
    return { taken: false, said: `cannot reach ${to}: ${unreachable(cause)}` }
  }
}

/** Forwards one event until it is taken, and prints a line about each try. */
async function forward(event: FollowedEvent, to: string, key: CryptoKey): Promise<void> {
  const about = `${event.created_at}  ${event.type.padEnd(28)} ${event.data.object.id ?? ''}`
  for (const seconds of [...RETRY_SECONDS, null]) {
    const { taken, said } = await forwardOnce(event, to, key)
    if (taken) return console.log(`${about}  ${said}`)
    console.log(`${about}  ${said}; ${seconds === null ? 'given up' : `again in ${seconds} s`}`)
    if (seconds !== null) await delay(seconds * 1000)
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...sandboxOptions,
      forward: { type: 'string' },
      events: { type: 'string', multiple: true, default: ['*'] },
      secret: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(HELP)
  if (!values.forward) throw new StackError(HELP)
  if (!/^https?:$/.test(URL.canParse(values.forward) ? new URL(values.forward).protocol : ''))
    throw new StackError(
      `"${values.forward}" is no address: --forward takes one like http://localhost:3000/hook`,
    )
  const secret = values.secret ?? newSecret()
  if (!/^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(secret))
    throw new StackError('--secret takes whsec_ and 24 to 64 bytes in base64; without it one is made')
  const sandbox = await sandboxOf(values)
  const key = await importSecret(secret)
  const next = follower(sandbox)
  await next()
  console.log(`Forwarding to ${values.forward}, signed with ${secret}`)
  for (let isGone = false; ; ) {
    try {
      for (const event of await next())
        if (values.events.some((pattern) => takes(pattern, event.type)))
          void forward(event, values.forward, key)
      isGone = false
    } catch (cause) {
      if (!isGone) console.error(`${reasonOf(cause)}. Trying again.`)
      isGone = true
    }
    await delay(POLL_MS)
  }
}

main().catch(failed)
