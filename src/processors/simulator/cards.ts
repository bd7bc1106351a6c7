/**
 * The sandbox's test cards, the one table behind the simulator, the buyer's page and the documentation. A number exists
 * only so that the browser can turn it into its token; it never reaches our API.
 * The numbers of `testCards` are public test numbers that pass Luhn; no bank issued them. A crowd's numbers are shown alone,
 * and need not pass: a token is one card.
 */
export type TestCard = {
  readonly token: SandboxCardToken | CrowdToken
  readonly number: string
  readonly brand: 'visa' | 'mastercard'
  readonly bin6: string
  readonly last4: string
  readonly funding: 'credit' | 'debit'
  /** Terms the simulator offers for this card, before the link's own limits; empty: no installments. */
  readonly installmentMonths: readonly number[]
  /** What paying with it does, as people read it. */
  readonly label: { readonly 'es-MX': string; readonly en: string }
}

export type SandboxCardToken =
  | 'tok_sbx_approve'
  | 'tok_sbx_decline_funds'
  | 'tok_sbx_decline_generic'
  | 'tok_sbx_expired'
  | 'tok_sbx_fraud'
  | 'tok_sbx_3ds_challenge'
  | 'tok_sbx_3ds_fail'
  | 'tok_sbx_timeout_then_paid'
  | 'tok_sbx_timeout_then_failed'
  | 'tok_sbx_amount_mismatch'
  | 'tok_sbx_mismatch_settles'
  | 'tok_sbx_msi_3_6_9_12'
  | 'tok_sbx_debit'
  | 'tok_sbx_capture_timeout'
  | 'tok_sbx_capture_mismatch'
  | 'tok_sbx_refund_fails'
  | 'tok_sbx_refund_timeout'
  | 'tok_sbx_msi_no_partial_refund'
  | 'tok_sbx_dispute_next_day'

/** Ten thousand cards that the bank approves, for a load of many buyers, and as many that it declines, for an attack. */
type CrowdToken = `tok_sbx_${'approve' | 'stolen'}_${string}`

const crowds = {
  approve: ['424242424242', 'Aprobada', 'Approved'],
  stolen: ['400000000000', 'Robada', 'Stolen'],
} as const

/** The crowd that a token's card is one of. */
export function crowdOf(token: string): keyof typeof crowds | undefined {
  return /^tok_sbx_(approve|stolen)_\d{4}$/.exec(token)?.[1] as keyof typeof crowds | undefined
}

export function crowdCard(token: string): TestCard | undefined {
  const crowd = crowdOf(token)
  if (!crowd) return undefined
  const [bin, es, en] = crowds[crowd]
  return card(token as CrowdToken, bin + token.slice(-4), es, { en })
}

export const testCards: readonly TestCard[] = [
  credit('tok_sbx_approve', '4242424242424242', 'Aprobada', 'Approved'),
  card('tok_sbx_msi_3_6_9_12', '4000004840000008', 'Aprobada, ofrece 3, 6, 9 y 12 meses', {
    en: 'Approved, offers 3, 6, 9 and 12 months',
    installmentMonths: [3, 6, 9, 12],
  }),
  card('tok_sbx_debit', '5200828282828210', 'Aprobada, débito: sin meses', {
    en: 'Approved, debit: no installments',
    brand: 'mastercard',
    funding: 'debit',
  }),
  credit('tok_sbx_3ds_challenge', '4000002760003184', 'El banco pide confirmar', 'The bank asks to confirm'),
  credit('tok_sbx_3ds_fail', '4000008400001629', 'Falla la verificación', 'Verification fails'),
  credit('tok_sbx_decline_funds', '4000000000009995', 'Fondos insuficientes', 'Insufficient funds'),
  credit('tok_sbx_decline_generic', '4000000000000002', 'Rechazada por el banco', 'Declined by the bank'),
  credit('tok_sbx_expired', '4000000000000069', 'Tarjeta vencida', 'Expired card'),
  credit('tok_sbx_fraud', '4100000000000019', 'Sospecha de fraude', 'Suspected fraud'),
  credit(
    'tok_sbx_timeout_then_paid',
    '4000000000000119',
    'El banco tarda y aprueba',
    'Slow bank, then approved',
  ),
  credit(
    'tok_sbx_timeout_then_failed',
    '4000000000000127',
    'El banco tarda y rechaza',
    'Slow bank, then declined',
  ),
  credit(
    'tok_sbx_amount_mismatch',
    '4000000000000341',
    'El banco reporta otro importe',
    'The bank reports another amount',
  ),
  credit(
    'tok_sbx_mismatch_settles',
    '4000000000003428',
    'Reporta otro importe por una hora',
    'Reports another amount for an hour',
  ),
  credit(
    'tok_sbx_capture_timeout',
    '4000003720000278',
    'Aprobada; el banco tarda al cobrar lo autorizado',
    'Approved; the bank is slow to capture',
  ),
  credit(
    'tok_sbx_capture_mismatch',
    '4000002500003155',
    'Aprobada; el banco cobra otro importe que el pedido',
    'Approved; captures another amount than asked',
  ),
  credit(
    'tok_sbx_refund_fails',
    '4000000000005126',
    'Aprobada; el reembolso falla',
    'Approved; refunds fail',
  ),
  credit(
    'tok_sbx_refund_timeout',
    '4000000000007726',
    'Aprobada; el banco tarda en reembolsar',
    'Approved; the bank is slow to refund',
  ),
  card('tok_sbx_msi_no_partial_refund', '4000000000000077', 'Aprobada a meses; sin reembolsos parciales', {
    en: 'Approved, offers 3 and 6 months; no partial refunds',
    installmentMonths: [3, 6],
  }),
  credit(
    'tok_sbx_dispute_next_day',
    '4000000000000259',
    'Aprobada; el comprador la disputa al día siguiente',
    'Approved; disputed the next day',
  ),
]

function credit(token: SandboxCardToken, number: string, es: string, en: string): TestCard {
  return card(token, number, es, { en })
}

function card(
  token: TestCard['token'],
  number: string,
  es: string,
  { en, ...rest }: { en: string } & Partial<Pick<TestCard, 'brand' | 'funding' | 'installmentMonths'>>,
): TestCard {
  return {
    token,
    number,
    brand: 'visa',
    bin6: number.slice(0, 6),
    last4: number.slice(-4),
    funding: 'credit',
    installmentMonths: [],
    label: { 'es-MX': es, en },
    ...rest,
  }
}

/** The test cards that a person can hold to a device. */
export const presentableCards = [
  'tok_sbx_approve',
  'tok_sbx_msi_3_6_9_12',
  'tok_sbx_debit',
  'tok_sbx_decline_funds',
  'tok_sbx_decline_generic',
  'tok_sbx_expired',
  'tok_sbx_fraud',
  'tok_sbx_amount_mismatch',
  'tok_sbx_refund_fails',
  'tok_sbx_dispute_next_day',
] as const satisfies readonly SandboxCardToken[]
