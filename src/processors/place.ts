import type { Address } from '../../drizzle/schema/locations.ts'

/** An address with all that a processor must know of a place where its devices stand. */
export type WholeAddress = Address & { readonly state: string; readonly postal_code: string }

/** Whether it is whole, and of Mexico: an account takes cards at devices in its own country alone. */
export const isWholeAddress = (address: Address | null): address is WholeAddress =>
  Boolean(address?.state && address.postal_code) && address?.country === 'MX'
