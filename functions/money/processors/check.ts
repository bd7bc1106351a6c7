import type { MethodStates } from '../../../drizzle/schema/processors.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun, SystemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { pageMethods } from '../../../src/kernel/payment-methods.ts'
import { log } from '../../../src/platform/log.ts'
import { stripeAccountNow, stripeKeyPair } from '../payments/api.ts'
import { outcome } from './contract.ts'
import { nextCheck, planMethods } from './plan.ts'
import { credentialById } from './store.ts'

/** Scheduled: asks once a day what each active account may take. */
export const checkAccounts = (run: JobRun): Promise<void> => eachDue(run, 'processor_credentials', check)

async function check(call: SystemCall, id: string): Promise<void> {
  const [[row]] = await call.read(outcome, credentialById({ id }))
  if (!row || row.nextCheckAt === null) return
  const states = await methodsNow(call, id)
  const clock = clockOf(call.now)
  const { baseUrl } = call.services.settings
  await call.publish(outcome, planMethods(row, states, { baseUrl, ...clock }), clock)
}

/** Scheduled: the same of the environment's own account, whose keys must be those of one account. */
export async function checkOwnAccount({ services, now }: JobRun): Promise<false> {
  const { settings, db } = services
  const found = await db.call('door.environment_account_to_check(text,timestamptz)', [
    processor,
    now.toISOString(),
  ])
  const own = settings.stripe?.own
  if (found === null || !own) return false
  const { publishableKey } = JSON.parse(found) as { readonly publishableKey: string | null }
  const states = await methodsNow({ services }, null)
  if (publishableKey !== own.publishableKey) {
    const pair = await stripeKeyPair(settings, own)
    if (pair !== 'one_account')
      throw new Fault('STRIPE_PUBLISHABLE_KEY is not of the account of the secret key')
  }
  await db.call('door.keep_environment_account(text,jsonb,text,timestamptz)', [
    processor,
    states && JSON.stringify(states),
    own.publishableKey,
    nextCheck(now).toISOString(),
  ])
  return false
}

const processor = 'stripe'

/**
 * What an account may take now; null where its key may not say, which the operator reads in the log. One that may not
 * charge takes nothing.
 */
async function methodsNow(
  { services }: Pick<SystemCall, 'services'>,
  accountId: string | null,
): Promise<MethodStates | null> {
  const facts = await stripeAccountNow(services, accountId)
  if (facts === 'refused') {
    const about = { place: 'stripe_key', requestId: null, id: accountId ?? 'environment' }
    log('error', about, new Fault('the key does not open its account'))
    return null
  }
  if (facts.chargesEnabled && facts.livemode && (facts.country ?? 'MX') === 'MX') return facts.methods
  return Object.fromEntries(pageMethods.map((method) => [method, 'inactive'])) as unknown as MethodStates
}
