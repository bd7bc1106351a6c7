import { reportAccountMappings } from '../../../drizzle/schema/reporting.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { insert, type Plan } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-mapping.ts'
import { presentMapping } from './present.ts'

/** A new mapping beside the ones before, which the runs made since then keep. */
export function planMapping(
  { accounts }: BodyOf<typeof contracts.put>,
  { userId, email }: { readonly userId: string; readonly email: string },
  { now, newId }: Clock,
) {
  const row = {
    id: newId(),
    accounts: Object.fromEntries(
      accounts.map(({ account, entry_kind: kind, number }) => [
        kind === null ? account : `${account} ${kind}`,
        number,
      ]),
    ),
    createdByUserId: userId,
    createdByEmail: email,
    createdAt: now,
  }
  return {
    writes: [insert(reportAccountMappings, row)],
    events: [],
    reply: presentMapping(row),
    subjectId: row.id,
  } satisfies Plan<unknown>
}
