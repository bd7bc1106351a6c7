// What Stripe names itself, disputes and deposits, is told apart by account: of a merchant's own account it says whose.
const mark = '@'

/** A reference of Stripe's as we keep it; null: of the environment's account. */
export const ownedRef = (id: string, tenantId: string | null): string =>
  tenantId === null ? id : `${id}${mark}${tenantId}`

export function readOwnedRef(ref: string): { readonly id: string; readonly tenantId: string | null } {
  const at = ref.indexOf(mark)
  return at < 0 ? { id: ref, tenantId: null } : { id: ref.slice(0, at), tenantId: ref.slice(at + 1) }
}
