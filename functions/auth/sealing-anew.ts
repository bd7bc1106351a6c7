import { Fault } from '../../src/kernel/fault.ts'
import type { IdentityAccess } from './access.ts'

const batch = 100
const batchesMax = 10

// As in the index two_factors_by_secret.
const versionOf = (column: string) =>
  `case when left(${column}, 4) = '$ba$' then split_part(${column}, '$', 3)::int else 1 end`
export const sealedUnder = `least(${versionOf('secret')}, ${versionOf('backup_codes')})`

const findOlder = `
  select id, secret, backup_codes from two_factors
   where ${sealedUnder} < $1::int and (unopened_at is null or unopened_at < now() - interval '1 hour')
   order by ${sealedUnder} limit ${batch}`

// Rows changed since they were read stay as they are and are found again. Both Workers may run this at once: each skips
// rows that the other has locked.
const storeAnew = `
  with anew as (
    select * from jsonb_to_recordset($1::jsonb)
      as n(id text, secret text, codes text, old_secret text, old_codes text)),
  held as (
    select id from two_factors where id in (select id from anew) order by id for update skip locked),
  stored as (
    update two_factors t set secret = n.secret, backup_codes = n.codes, unopened_at = null
      from anew n join held using (id)
     where t.id = n.id and t.secret = n.old_secret and t.backup_codes = n.old_codes)
  update two_factors set unopened_at = now()
   where id in (select jsonb_array_elements_text($2::jsonb))`

/**
 * Reseals what older versions sealed under the current one, a batch in one statement, so that a crash at any point
 * leaves every row either as it was or resealed. Rows that cannot be opened are skipped for an hour.
 * @returns why rows could not be opened, and how many
 */
export async function sealAnew({ sql, secrets }: IdentityAccess): Promise<string[]> {
  const { openText, sealText } = await import('./sealing.ts')
  const reasons = new Map<string, number>()
  for (let batches = 0; batches < batchesMax; batches++) {
    const rows = await sql(findOlder, [secrets.current])
    const [anew, unopened]: [object[], string[]] = [[], []]
    for (const row of rows) {
      const [id, secret, codes] = [String(row.id), String(row.secret), String(row.backup_codes)]
      try {
        const opened = await Promise.all([openText(secrets, secret), openText(secrets, codes)])
        const sealed = await Promise.all(opened.map((text) => sealText(secrets, text)))
        anew.push({ id, secret: sealed[0], codes: sealed[1], old_secret: secret, old_codes: codes })
      } catch (error) {
        unopened.push(id)
        const reason = error instanceof Fault ? error.message : 'cannot be opened'
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
    }
    if (rows.length > 0) await sql(storeAnew, [JSON.stringify(anew), JSON.stringify(unopened)])
    if (rows.length < batch) break
  }
  return [...reasons].map(([reason, count]) => `${count} authenticators: ${reason}`)
}
