import { sql } from 'drizzle-orm'
import { lineOf, linesAlone, type Sold, soldAs } from '../../../functions/order/lines/api-pure.ts'
import { queriesOf } from '../../../functions/order/sales/api.ts'
import type { HostedOrigin, Part } from '../../../functions/page/hosted-payment/api.ts'
import { expect } from '../../../src/kernel/plan.ts'
import { tableBills } from './tables.ts'

/** What stands beside the bill where it is shown: sums in minor units, and each line with whether a guest pays it. */
interface Beside {
  readonly total: string
  readonly held: string
  readonly paid: string
  readonly lines: readonly {
    readonly id: string
    readonly name: string
    readonly amount: string
    readonly isPaid: boolean
  }[]
}

type BillRow = typeof tableBills.$inferSelect & { readonly beside?: Beside }

const beside = sql`(select jsonb_build_object('total', s.total_minor::text, 'held', s.held_minor::text,
  'paid', s.paid_minor::text, 'lines', (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name,
    'amount', l.amount_minor::text, 'isPaid', l.paid_by is not null) order by l.id), '[]') from table_bill_lines l
    where l.tenant_id = s.tenant_id and l.bill_id = s.id))
  from table_bill_sums s where s.tenant_id = table_bills.tenant_id and s.id = table_bills.id)`.mapWith(
  tableBills.metadata,
)

const queries = queriesOf(tableBills, 'table_bill')
const billForSale = queries.forSale<{ beside: Beside }>({ beside })

const dish = { item_id: null, quantity: 1, iva_rate: '16', price_includes_tax: true } as const

const words = {
  'es-MX': {
    busy: {
      title: 'Alguien paga',
      detail: (merchant: string) => `Otra persona paga esta cuenta de ${merchant}.`,
    },
    changed: {
      title: 'La cuenta cambió',
      detail: (merchant: string) => `${merchant} la cambió. Mírala otra vez.`,
    },
  },
  en: {
    busy: {
      title: 'Somebody is paying',
      detail: (merchant: string) => `Another guest pays this bill of ${merchant}.`,
    },
    changed: {
      title: 'The bill has changed',
      detail: (merchant: string) => `${merchant} changed it. Look at it again.`,
    },
  },
} as const

const restOf = ({ beside }: BillRow) =>
  beside ? BigInt(beside.total) - BigInt(beside.held) - BigInt(beside.paid) : 0n

/** The last share is what is left. */
function partOf(bill: BillRow, part: Part): Sold | null {
  const rest = restOf(bill)
  const free = (bill.beside?.lines ?? []).filter(({ isPaid }) => !isPaid)
  if ('amount' in part) return { amountMinor: BigInt(part.amount), taxes: [] }
  if ('shares' in part) {
    const shares = BigInt(part.shares)
    if (shares < 2n || shares > 50n) return null
    const share = (BigInt(bill.beside!.total) + shares - 1n) / shares
    const amountMinor = share < rest ? share : rest
    return amountMinor > 0n ? { amountMinor, taxes: [] } : null
  }
  const chosen = free.filter(({ id }) => part.lines.includes(id))
  if (chosen.length !== part.lines.length) return null
  const sold = soldAs(linesAlone(chosen.map(({ name, amount }) => lineOf({ ...dish, name }, BigInt(amount)))))
  const lines = sold.order!.lines.map((line, at) => ({ ...line, id: chosen[at]!.id }))
  return { ...sold, order: { lines, parts: [] } }
}

/** An origin of the tests alone: it needs its folder and nothing else. */
export const billOrigin: HostedOrigin<BillRow> = {
  kind: 'table_bill',
  publicIdPrefix: 'sdinner',
  writeScopes: ['hosted_checkout:write'],
  ...queries.origin,
  loadForSale: (publicId) => billForSale({ publicId }),
  bounds: ['table_bills_bounded', 'table_bill_lines_claimed'],
  // Lines are added while others pay: no version of its terms.
  condition: ({ originId }) => expect(tableBills, originId, { status: 'open' }),
  sale: (bill) => ({
    originId: bill.id,
    publicId: bill.publicId,
    termsVersion: bill.termsVersion,
    asksVersion: 1,
    policyVersion: bill.policyVersion,
    locationId: bill.locationId,
    description: bill.title,
    amount: { amountMinorMin: 100n, amountMinorMax: restOf(bill), presetsMinor: [restOf(bill)] },
    shared: {
      lines: (bill.beside?.lines ?? []).flatMap(({ id, name, amount, isPaid }) =>
        isPaid ? [] : [{ id, name, amountMinor: BigInt(amount) }],
      ),
      sharesMax: 50,
      followed: String(restOf(bill) % 1_000_000_000n),
      inPart: (part) => partOf(bill, part),
    },
    currency: 'mxn',
    methods: ['card', 'oxxo', 'spei'],
    captureMethod: 'automatic',
    installmentMonths: [],
    installmentPlanMonths: null,
    feeAllocation: 'absorb',
    merchantMarkupBps: 0,
    exclusive: false,
    expiresAt: null,
  }),
  closedBecause: (bill) => {
    if (bill.status === 'closed' || bill.beside?.paid === bill.beside?.total) return 'settled'
    return restOf(bill) === 0n ? 'taken' : null
  },
  states: {
    settled: {
      status: 410,
      icon: 'check',
      tone: 'good',
      words: {
        'es-MX': { title: 'La cuenta está pagada', detail: (merchant) => `${merchant} agradece tu visita.` },
        en: { title: 'The bill is paid', detail: (merchant) => `${merchant} thanks you for your visit.` },
      },
    },
    taken: {
      status: 409,
      icon: 'clock',
      tone: 'calm',
      words: {
        'es-MX': { title: 'Ya se está pagando', detail: () => 'Otras personas pagan lo que falta.' },
        en: { title: 'It is being paid', detail: () => 'Other guests are paying what is left.' },
      },
    },
  },
  words,
  onSuccess: () => ({ writes: [], events: [] }),
}
