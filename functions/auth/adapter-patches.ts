import type { DBAdapter } from '@better-auth/core/db/adapter'
import type { VersionedKeys } from '../../src/env.ts'
import { decryptText, withoutFirstVersion } from './encryption.ts'

/**
 * Changes `adapter` in place. Its `incrementOne` finds the row in a subselect, which Postgres does not evaluate again
 * after it has waited for a concurrent change of the row: two concurrent requests with one backup code both succeeded.
 * With the conditions on the UPDATE's own row the second finds nothing. The library sets, and never increments, here.
 */
export function patchWrites(adapter: DBAdapter, secrets: VersionedKeys): DBAdapter {
  const { create, findOne, update: updateBelow } = adapter
  const update: DBAdapter['update'] = (call) =>
    updateBelow({ ...call, update: asStored(call.model, call.update) })
  const incrementOne: DBAdapter['incrementOne'] = async <T>({
    model,
    where,
    increment,
    set,
  }: Parameters<DBAdapter['incrementOne']>[0]) => {
    if (Object.keys(increment).length > 0 || !set) throw new Error(`${model} is incremented`)
    const changed = await update<T>({ model, where, update: set })
    const codes = where.find(({ field }) => field === 'backupCodes')
    if (changed !== null || !codes) return changed
    // The same codes may have been re-encrypted since the library read them (local/reencrypt.ts).
    const others = where.filter((condition) => condition !== codes)
    const row = await findOne<{ backupCodes: string }>({ model, where: others })
    if (!row || row.backupCodes === codes.value) return null
    const [now, before] = await Promise.all([
      decryptText(secrets, row.backupCodes),
      decryptText(secrets, String(codes.value)),
    ])
    if (now !== before) return null
    return update<T>({ model, where: [...others, { ...codes, value: row.backupCodes }], update: set })
  }
  return Object.assign(adapter, {
    create: ((call) =>
      create({ ...call, data: asStored(call.model, call.data) })) satisfies DBAdapter['create'],
    update,
    incrementOne,
  })
}

/** The library marks values encrypted under version 1; we store them without the mark (encryption.ts). */
function asStored<Row extends object>(model: string, row: Row): Row {
  if (model !== 'twoFactor') return row
  const cells = Object.entries(row)
  return Object.fromEntries(
    cells.map(([name, cell]) => [name, typeof cell === 'string' ? withoutFirstVersion(cell) : cell]),
  ) as Row
}
