import { type Bought, linesAlone, namesOf } from '../../order/lines/api-pure.ts'
import type { LinkRow } from './store.ts'

/** What a link of several lines sells; null where it sells one item, or asks for an amount. */
export const boughtOf = ({ lines }: Pick<LinkRow, 'lines'>): Bought | null => lines && linesAlone(lines)

/** What is paid for, in a few words; empty where nothing says it. */
export const whatOf = ({ description, catalogLineItemSnapshot: item, lines }: LinkRow): string =>
  description ?? item?.name ?? namesOf(lines ?? []) ?? ''
