import { newCatalog, newItem } from './digital-catalogs.ts'
import { call, type Merchant } from './merchant.ts'

export interface Answer {
  id: string
  status: string
  on_hand: number
  reserved: number
  available: number
  low: boolean
  quantity: number
  version: number
  data: Answer[]
  error?: { code: string; param: string | null; message: string }
}

const inventory = '/v1/inventory'

/** A request about stock by the merchant's key. */
export const stock = (merchant: Merchant, method: 'GET' | 'POST' | 'PATCH', at: string, body?: object) =>
  call<Answer>(method, `${inventory}${at}`, {
    bearer: merchant.apiKey,
    ...(body ? { body: body as never } : {}),
  })

export const levelsPath = `${inventory}/levels`

/** Items of one new catalog whose stock is tracked, with this many on hand each. */
export async function stocked(merchant: Merchant, ...onHand: readonly number[]): Promise<string[]> {
  const catalog = await newCatalog(merchant)
  const items: string[] = []
  for (const [at, quantity] of onHand.entries()) {
    const { id } = await newItem(merchant, catalog.id, {
      kind: 'physical_count',
      name: `Taza ${'abcdefgh'[at]}`,
    })
    if (quantity > 0) await adjust(merchant, id, quantity)
    items.push(id)
  }
  return items
}

export const adjust = (merchant: Merchant, itemId: string, quantity: number, more: object = {}) =>
  stock(merchant, 'POST', '/adjustments', { item_id: itemId, quantity, ...more })

export const reserve = (merchant: Merchant, ...lines: readonly (readonly [string, number])[]) =>
  stock(merchant, 'POST', '/reservations', {
    lines: lines.map(([item_id, quantity]) => ({ item_id, quantity })),
  })

/** The levels of an item, as `on_hand/reserved`. */
export async function levelsOf(merchant: Merchant, itemId: string): Promise<string[]> {
  const { body } = await stock(merchant, 'GET', `/levels?item_id=${itemId}`)
  return body.data.map(({ on_hand, reserved }) => `${on_hand}/${reserved}`)
}

/** `201`, or the status with the error's code. */
export const answerOf = ({ status, body }: { status: number; body: Answer }) =>
  body.error ? `${status} ${body.error.code}` : `${status}`
