import { bookRules, liveBookRules } from './book-rules.ts'
import { isWhole, share } from './share.ts'
import { adminSql, faults, stack, trigger, withWorkerHere } from './stack.ts'

export type Charge = { reference: string; state: string; amount_minor: string; token: string }

/** What the simulated processor holds for a link, including payers of whom we have no record. */
export const chargesOf = (publicId: string): Promise<Charge[]> =>
  adminSql('sandbox')<Charge>(
    `select reference, state, amount_minor, token from simulator.charges
     where return_url like '%/' || $1 || '/%' order by created_at, reference`,
    [publicId],
  )

export type PaymentRecord = {
  id: string
  public_id: string
  status: string
  amount_minor: string
  net_minor: string
  funds_status: string
}
export type AttemptRecord = {
  id: string
  payment_id: string
  number: number
  status: string
  decline_code: string | null
  next_check_at: Date | null
}

export const paymentsOf = (tenantId: string): Promise<PaymentRecord[]> =>
  adminSql('sandbox')<PaymentRecord>(
    `select id, public_id, status, amount_minor, net_minor, funds_status from payments where tenant_id = $1
     order by created_at, id`,
    [tenantId],
  )

export const attemptsOf = (tenantId: string): Promise<AttemptRecord[]> =>
  adminSql('sandbox')<AttemptRecord>(
    `select id, payment_id, number, status, decline_code, next_check_at from payment_attempts where tenant_id = $1
     order by created_at, number`,
    [tenantId],
  )

/** How many journals of each kind there are. */
export async function journalsOf(tenantId: string): Promise<Record<string, number>> {
  const rows = await adminSql('sandbox')<{ entry_kind: string; n: number }>(
    'select entry_kind, count(*)::int n from ledger_journals where tenant_id = $1 group by 1 order by 1',
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ entry_kind, n }) => [entry_kind, n]))
}

/** Balances by `currency/account`, minor units. */
export async function balancesOf(tenantId: string): Promise<Record<string, bigint>> {
  const rows = await adminSql('sandbox')<{ name: string; balance_minor: string }>(
    `select currency || '/' || code as name, balance_minor from ledger_accounts where tenant_id = $1 order by 1`,
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ name, balance_minor }) => [name, BigInt(balance_minor)]))
}

/** Every rule of the books that a merchant's rows break; empty when there is none. */
export const brokenRules = (
  tenantId: string,
  environment: 'sandbox' | 'live' = 'sandbox',
): Promise<{ rule: string; about: string }[]> =>
  adminSql(environment)<{ rule: string; about: string }>(environment === 'live' ? liveBookRules : bookRules, [
    tenantId,
  ])

/**
 * Runs the reconciler until every attempt of the merchant is over, as the coming minutes would, except attempts that wait
 * for a person's decision. An open challenge stays open: then it gives up after `rounds`.
 */
export async function settleAttempts(tenantId: string, rounds = 20): Promise<void> {
  const sql = adminSql('sandbox')
  for (let round = 0; round < rounds; round++) {
    const waiting = await sql(
      `update payment_attempts set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and next_check_at is not null
         and (status <> 'amount_mismatch' or intent is not null) returning id`,
      [tenantId],
    )
    if (waiting.length === 0) return
    await trigger('sandbox')
  }
}

/** What a buyer's page says: the `data-state` of its main part and its status. */
export async function pageState(path: string): Promise<{ status: number; state: string | undefined }> {
  const response = await fetch(stack.sandbox.directUrl + path)
  const html = await response.text()
  return { status: response.status, state: /data-state="([a-z_]+)"/.exec(html)?.[1] }
}

/**
 * Runs a drill and reports how many of its cases survived: of each boundary a sixth of the ways, at least one, with the
 * Worker in this process, and in every fourth drill a sixth of the boundaries with workerd on the stack; all of them on the
 * stack where TESTS=all, and where a case names no boundary.
 */
export async function survivors<T>(
  drill: string,
  cases: readonly T[],
  run: (one: T) => Promise<unknown>,
  boundary: (one: T) => unknown = boundaryOf,
): Promise<void> {
  const failures: string[] = []
  const attempt = (where: string, some: readonly T[]) => async () => {
    const failed = failures.length
    for (const one of some) {
      try {
        await run(one)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        const { actual = '' } = error as { actual?: unknown }
        failures.push(`${where}, ${JSON.stringify(one)}: ${why} ${JSON.stringify(actual)}`)
      }
      await faults.clear()
    }
    console.log(`${drill}: survived ${some.length - failures.length + failed} of ${some.length} ${where}`)
  }
  const boundaries = Object.entries(Object.groupBy(cases, (one) => String(boundary(one))))
  const isInProcess = !isWhole && !boundaries.some(([name]) => name === '[]')
  const turn = (at: number, length: number) => (drill.length + at) % Math.min(partsCount, length)
  const few = boundaries.flatMap(([, ways], at) => share(ways!, partsCount, turn(at, ways!.length)))
  if (isInProcess) await withWorkerHere(attempt(`in process at ${boundaries.length} boundaries`, few))
  // A Worker that starts again costs as much as three cases.
  const some = drill.length % 4 === 0 ? share(boundaries, partsCount, turn(0, boundaries.length)) : []
  const real = isInProcess ? some.map(([, ways], at) => ways![at % ways!.length]!) : cases
  if (real.length > 0) await attempt('on the stack', real)()
  if (failures.length > 0) throw new Error([`${drill}, ${failures.length} failed`, ...failures].join('\n'))
}

/** In how many parts a drill is cut. */
const partsCount = 6

/** The call that a case's fault strikes, wherever in the case it is named. */
const boundaryOf = (one: unknown): string => JSON.stringify(partsOf(one))

const partsOf = (part: unknown): unknown[] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([name, value]) =>
        ['contains', 'statement', 'skip', 'stripe', 'file'].includes(name) ? [value] : partsOf(value),
      )
