/** A status with its body. */
export interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Stripe's own cards, by a name of ours. `plans`: the months that the bank offers; `declined`: the bank's code. */
export interface TestCard {
  readonly brand: string
  readonly last4: string
  readonly funding: string
  readonly plans?: readonly number[]
  readonly declined?: string
  readonly challenged?: true
}

/**
 * Like Stripe's `pm_card_visa` these names stand for a new PaymentMethod each time that one is used
 * (https://docs.stripe.com/testing#cards).
 */
export const cards: Readonly<Record<string, TestCard>> = {
  pm_approve: { brand: 'visa', last4: '4242', funding: 'credit' },
  pm_msi: { brand: 'mastercard', last4: '0008', funding: 'credit', plans: [3, 6, 9, 12] },
  pm_challenge: { brand: 'visa', last4: '3220', funding: 'credit', challenged: true },
  pm_funds: { brand: 'visa', last4: '9995', funding: 'debit', declined: 'insufficient_funds' },
  pm_stolen: { brand: 'visa', last4: '9979', funding: 'credit', declined: 'stolen_card' },
}

/** A moment well after any test begins: 2030-01-02 05:59:59 UTC is the end of a day in Mexico City. */
export const laterSeconds = Date.UTC(2030, 0, 2, 5, 59, 59) / 1000

export const nowSeconds = () => Math.floor(Date.now() / 1000)

/**
 * A refusal in Stripe's form (https://docs.stripe.com/api/errors). `code` is null where Stripe publishes none for it.
 */
export const refusal = (
  status: number,
  type: string,
  code: string | null,
  message: string,
  more: object = {},
): Answer => ({
  status,
  body: { error: { type, ...(code === null ? {} : { code }), message, ...more } },
})

export const refused = (code: string | null, message: string, param?: string): Answer =>
  refusal(400, 'invalid_request_error', code, message, param === undefined ? {} : { param })

export const missing = (what: string): Answer =>
  refusal(404, 'invalid_request_error', 'resource_missing', what)

/** A reference to nothing in a parameter: 400, as Stripe answers it, with the parameter's name. */
export const missingIn = (param: string, id: string): Answer =>
  refused('resource_missing', `No such ${param}: '${id}'`, param)

export const noKey: Answer = refusal(401, 'invalid_request_error', null, 'Invalid API Key provided')
export const secretNeeded: Answer = refusal(
  401,
  'invalid_request_error',
  'secret_key_required',
  'This API call cannot be made with a publishable API key',
)
export const noRight: Answer = refusal(
  403,
  'invalid_request_error',
  null,
  'The provided key does not have the required permissions',
)
export const failure = refusal(500, 'api_error', null, 'An error of Stripe’s own')
export const tooMany = refusal(429, 'invalid_request_error', 'rate_limit', 'Too many requests')
/** Stripe names no time by itself; a proxy before it may. */
export const tooManyForLong: Answer = { ...tooMany, headers: { 'retry-after': '30' } }
export const locked = refusal(
  429,
  'invalid_request_error',
  'lock_timeout',
  'This object cannot be accessed right now because another API request is accessing it',
)
export const inUse = refusal(
  409,
  'invalid_request_error',
  'idempotency_key_in_use',
  'Another request with this key is in progress',
)
/** "The parameters were valid but the request failed": the bank refused. */
export const notDone = refusal(402, 'card_error', 'card_declined', 'The bank refused', {
  decline_code: 'generic_decline',
})
