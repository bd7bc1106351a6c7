import type { DBAdapter } from '@better-auth/core/db/adapter'

/**
 * Changes `adapter` in place. Its `incrementOne` looks for the row in a subselect, which Postgres does not ask again once
 * it has waited for somebody else's change of the row: of two at once with one backup code both went through. As an
 * UPDATE with the conditions on the row itself the second finds nothing. The library sets, and never increments, here.
 */
export function guardWrites(adapter: DBAdapter): DBAdapter {
  const { update } = adapter
  const incrementOne: DBAdapter['incrementOne'] = async ({ model, where, increment, set }) => {
    if (Object.keys(increment).length > 0 || !set) throw new Error(`${model} is incremented`)
    return update({ model, where, update: set })
  }
  return Object.assign(adapter, { incrementOne })
}
