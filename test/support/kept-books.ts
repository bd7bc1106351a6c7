import { afterAll, expect } from 'vitest'
import { bookRules, liveBookRules, rulesOfEach } from './book-rules.ts'
import type { StackAddresses } from './global-setup.ts'
import { type Environment, rowsOf, snapshotOf } from './since.ts'

/*
 * Holds every merchant that any test makes to the rules of the books: after each file, those made or changed since it
 * began are looked at, in one statement. setup.ts calls `holdToBooks`, for each file.
 */

const byHand = new Set<string>()

/** The test writes rows of this merchant with SQL of its own, which break the rules of the books: nobody looks at them. */
export const writtenByHand = (tenantId: string): void => void byHand.add(tenantId)

let areAllByHand = false

/** The same of all merchants of this file: it tries the database itself, not the interface. */
export function writesRowsByHand(): void {
  areAllByHand = true
}

export function holdToBooks(stack: StackAddresses): void {
  areAllByHand = false
  const since = Promise.all([snapshotOf(stack, 'sandbox'), snapshotOf(stack, 'live')])
  since.catch(() => {})
  afterAll(async () => {
    if (areAllByHand) return
    const [sandbox, live] = await since
    const found = [...(await faultsOf(stack, 'sandbox', sandbox!)), ...(await faultsOf(stack, 'live', live!))]
    expect(found.slice(0, 10), 'the rules of the books').toEqual([])
  })
}

type Fault = { readonly tenant_id: string; readonly rule: string; readonly about: string }

const faultsOf = (stack: StackAddresses, environment: Environment, since: string) =>
  rowsOf<Fault>(
    stack,
    environment,
    rulesOfEach(
      environment === 'live' ? liveBookRules : bookRules,
      'merchant.xmin::text::bigint >= $1::bigint and merchant.tenant_id <> all ($2)',
    ),
    [since, [...byHand]],
  )
