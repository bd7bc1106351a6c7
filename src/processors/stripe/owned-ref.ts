// References that Stripe makes (disputes, deposits, its refunds) carry the account, if it is a merchant's own.
const mark = '@'

/** Stripe's reference as we store it; `accountId` null: the environment's account. */
export const ownedRef = (id: string, accountId: string | null): string =>
  accountId === null ? id : `${id}${mark}${accountId}`

export function readOwnedRef(ref: string): { readonly id: string; readonly accountId: string | null } {
  const at = ref.indexOf(mark)
  return at < 0 ? { id: ref, accountId: null } : { id: ref.slice(0, at), accountId: ref.slice(at + 1) }
}
