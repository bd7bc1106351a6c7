// What Stripe names itself, disputes and deposits, is told apart by account: of a merchant's own account it says which.
const mark = '@'

/** A reference of Stripe's as we keep it; null: of the environment's account. */
export const ownedRef = (id: string, accountId: string | null): string =>
  accountId === null ? id : `${id}${mark}${accountId}`

export function readOwnedRef(ref: string): { readonly id: string; readonly accountId: string | null } {
  const at = ref.indexOf(mark)
  return at < 0 ? { id: ref, accountId: null } : { id: ref.slice(0, at), accountId: ref.slice(at + 1) }
}
