import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type Stripe from 'stripe'
import type { Fields } from './stripe-checks.ts'
import type { Exchange } from './stripe-server.ts'

// Holds what was sent and answered against the types of Stripe's library, where no enum has room for other values.

interface Route {
  readonly method: string
  readonly pattern: RegExp
  /** The names of the library's types; null: it takes no parameters. */
  readonly params: string | null
  readonly reply: string
}

const route = (method: string, path: string, params: string | null, reply: string): Route => ({
  method,
  pattern: new RegExp(`^/v1/${path.replaceAll(/:id/g, '[^/]+')}$`),
  params: params && `Stripe.${params}`,
  reply: reply.replaceAll(/(?<!\.)\b(?=[A-Z])/g, 'Stripe.'),
})

const routes: readonly Route[] = [
  route('GET', 'account', 'AccountRetrieveCurrentParams', 'Account'),
  route(
    'GET',
    'payment_method_configurations',
    'PaymentMethodConfigurationListParams',
    'ApiList<PaymentMethodConfiguration>',
  ),
  route('GET', 'events', 'EventListParams', 'ApiList<Event>'),
  route('POST', 'payment_intents', 'PaymentIntentCreateParams', 'PaymentIntent'),
  route('GET', 'payment_intents/search', 'PaymentIntentSearchParams', 'ApiSearchResult<PaymentIntent>'),
  route('GET', 'payment_intents/:id', 'PaymentIntentRetrieveParams', 'PaymentIntent'),
  route('POST', 'payment_intents/:id/capture', 'PaymentIntentCaptureParams', 'PaymentIntent'),
  route('POST', 'payment_intents/:id/cancel', 'PaymentIntentCancelParams', 'PaymentIntent'),
  route('GET', 'payment_methods/:id', 'PaymentMethodRetrieveParams', 'PaymentMethod'),
  route('GET', 'confirmation_tokens/:id', 'ConfirmationTokenRetrieveParams', 'ConfirmationToken'),
  route('POST', 'customers', 'CustomerCreateParams', 'Customer'),
  route(
    'POST',
    'customers/:id/funding_instructions',
    'CustomerCreateFundingInstructionsParams',
    'FundingInstructions',
  ),
  route(
    'GET',
    'customers/:id/cash_balance_transactions',
    'CustomerListCashBalanceTransactionsParams',
    'ApiList<CustomerCashBalanceTransaction>',
  ),
  route(
    'GET',
    'customers/:id/cash_balance_transactions/:id',
    'CustomerRetrieveCashBalanceTransactionParams',
    'CustomerCashBalanceTransaction',
  ),
  route('POST', 'refunds', 'RefundCreateParams', 'Refund'),
  route('GET', 'refunds', 'RefundListParams', 'ApiList<Refund>'),
  route('GET', 'refunds/:id', 'RefundRetrieveParams', 'Refund'),
  route('GET', 'payouts/:id', 'PayoutRetrieveParams', 'Payout'),
  route('GET', 'balance_transactions', 'BalanceTransactionListParams', 'ApiList<BalanceTransaction>'),
  route('POST', 'terminal/locations', 'Terminal.LocationCreateParams', 'Terminal.Location'),
  route('POST', 'terminal/readers', 'Terminal.ReaderCreateParams', 'Terminal.Reader'),
  route('GET', 'terminal/readers', 'Terminal.ReaderListParams', 'ApiList<Terminal.Reader>'),
  route('GET', 'terminal/readers/:id', 'Terminal.ReaderRetrieveParams', 'Terminal.Reader'),
  route(
    'POST',
    'terminal/readers/:id/process_payment_intent',
    'Terminal.ReaderProcessPaymentIntentParams',
    'Terminal.Reader',
  ),
  route(
    'POST',
    'terminal/readers/:id/set_reader_display',
    'Terminal.ReaderSetReaderDisplayParams',
    'Terminal.Reader',
  ),
  route(
    'POST',
    'terminal/readers/:id/collect_inputs',
    'Terminal.ReaderCollectInputsParams',
    'Terminal.Reader',
  ),
  route('POST', 'terminal/readers/:id/cancel_action', 'Terminal.ReaderCancelActionParams', 'Terminal.Reader'),
  route(
    'POST',
    'terminal/connection_tokens',
    'Terminal.ConnectionTokenCreateParams',
    'Terminal.ConnectionToken',
  ),
  route('POST', 'files', 'FileCreateParams', 'File'),
  route('GET', 'disputes/:id', 'DisputeRetrieveParams', 'Dispute'),
  route('POST', 'disputes/:id', 'DisputeUpdateParams', 'Dispute'),
  route('POST', 'disputes/:id/close', 'DisputeCloseParams', 'Dispute'),
  route(
    'GET',
    'radar/early_fraud_warnings/:id',
    'Radar.EarlyFraudWarningRetrieveParams',
    'Radar.EarlyFraudWarning',
  ),
]

/** A value, and the type that it must be of. */
export interface Typed {
  readonly name: string
  readonly value: unknown
  readonly type: string
}

/** Error codes are listed with a PaymentIntent's last error. */
const errorType = `{ error: {
  type: Stripe.PaymentIntent.LastPaymentError.Type
  code?: Stripe.PaymentIntent.LastPaymentError.Code
  message: string
  param?: string
  decline_code?: string
  charge?: string | null
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
} }`

/** @throws Error for a request that no route describes */
export function typedExchange({ method, path, fields, status, body }: Exchange): Typed[] {
  const found = routes.find((each) => each.method === method && each.pattern.test(path))
  if (!found) throw new Error(`no types for ${method} ${path}`)
  const name = `${method} ${path}`
  return [
    ...(found.params ? [{ name, value: nested(fields), type: found.params }] : []),
    { name: `${name} -> ${status}`, value: body, type: status === 200 ? found.reply : errorType },
  ]
}

export const typedEvent = (event: Stripe.Event): Typed => ({
  name: `event ${event.type}`,
  value: event,
  type: `Extract<Stripe.Event, { type: '${event.type}' }>`,
})

/** The parameters behind form fields: the form has no numbers and truths, so we read them where they can be such. */
function nested(fields: Fields): unknown {
  const tree: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(fields)) {
    const keys = name.split(/\[|\]\[|\]/).filter((key) => key !== '')
    const last = keys.pop()!
    let at = tree
    for (const key of keys) {
      at[key] ??= {}
      at = at[key] as Record<string, unknown>
    }
    const isText = ['metadata', 'evidence', 'address'].includes(keys[0] ?? '') || last === 'id'
    at[last] =
      !isText && /^\d{1,15}$/.test(text)
        ? Number(text)
        : !isText && /^(true|false)$/.test(text)
          ? text === 'true'
          : text
  }
  return withLists(tree)
}

function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, withLists(each)] as const)
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}

/** What TypeScript finds wrong with each value, as `name: message`. */
export async function deviationsOf(values: readonly Typed[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'stripe-types-'))
  try {
    const library = resolve('node_modules/stripe/esm')
    const isType = (path: string) => !/\.(js|map)$/.test(path)
    await cp(library, join(folder, 'stripe'), { recursive: true, filter: isType })
    const shared = join(folder, 'stripe/shared.d.ts')
    const text = await readFile(shared, 'utf8')
    const open = 'export type OtherString = string & Record<never, never>;'
    if (!text.includes(open)) throw new Error('the library says in another way that enums are open')
    await writeFile(shared, text.replace(open, 'export type OtherString = never;'))
    const lines = values.map(
      ({ value, type }, at) =>
        `export const v${at} = ${JSON.stringify(value)} satisfies ${type.replaceAll('\n', ';')}`,
    )
    await writeFile(
      join(folder, 'values.ts'),
      [`import type Stripe from 'stripe'`, ...lines].join('\n').replaceAll('{;', '{'),
    )
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const told = await tsc(folder)
    return told.split('\n').flatMap((line) => {
      const [, at, message] = /^values\.ts\((\d+),\d+\): error TS\d+: (.*)$/.exec(line) ?? []
      return at === undefined
        ? line.includes('error TS')
          ? [line]
          : []
        : [`${values[Number(at) - 2]?.name}: ${message}`]
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const config = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'ES2024',
    lib: ['ES2024', 'DOM'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    paths: { stripe: ['./stripe/stripe.esm.node.d.ts'] },
  },
  files: ['values.ts'],
}

const tsc = (folder: string) =>
  new Promise<string>((done) => {
    const args = [
      resolve('node_modules/typescript/bin/tsc'),
      '-p',
      folder,
      '--checkers',
      '1',
      '--pretty',
      'false',
    ]
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_, out) => done(out))
  })
