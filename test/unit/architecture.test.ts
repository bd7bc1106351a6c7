import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { declarations } from '../../local/declarations.ts'
import { generated } from '../../local/generate.ts'
import { methods, paymentMethods } from '../../src/kernel/payment-methods.ts'
import {
  areasMeetAtApi,
  coreNamesNoArea,
  declarationsStayWithTools,
  downwardOnly,
  drizzleInStoresOnly,
  honoInHttpOnly,
  kernelImportsNoPackage,
  noCircleOfFiles,
  pureFilesTouchNoPlatform,
  type Rule,
  transfersMeetAtReceiver,
} from './architecture/layers.ts'
import { sourceOf } from './architecture/source.ts'
import {
  fewParameters,
  importsNameTheFile,
  methodsStandInTheirTable,
  moneyIsNoNumber,
  noAny,
  noAsNever,
  noBarrels,
  noDrawers,
  noLongFiles,
  nothingLeftOver,
  plainWords,
  plansAskNoClock,
  statusesAreTyped,
  zodAsNamespace,
} from './architecture/style.ts'

const each = (reason: string, ...paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, reason]))

/** Files that may break a rule, each with its reason. A file that no longer breaks its rule must leave the list. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no status is cast': {
    'functions/developer/webhooks/present.ts':
      'no query finds a deleted endpoint: only its event shows that status',
  },
  'no function over four parameters': {
    ...each(
      'parts that belong together come one by one',
      'functions/account/api-keys/plan.ts',
      'functions/account/auth/plan.ts',
      'functions/page/hosted-payment/checkout-flow.ts',
      'functions/page/hosted-payment/paying.ts',
      'functions/page/hosted-payment/pages/pay/form.ts',
      'functions/page/hosted-payment/pages/pay/submitting.ts',
      'functions/money/payments/plan-apply.ts',
      'functions/money/payments/plan-authorization.ts',
      'functions/money/payments/plan-capture.ts',
      'functions/money/payments/plan-deposit.ts',
      'functions/money/payments/plan-outcome.ts',
      'functions/money/payments/plan.ts',
      'functions/money/payouts/plan.ts',
      'functions/money/refunds/plan-external.ts',
      'functions/money/refunds/plan-outcome.ts',
      'functions/money/refunds/plan-source.ts',
      'functions/money/refunds/plan-waiting.ts',
      'functions/money/refunds/plan.ts',
      'functions/money/unapplied-funds/plan.ts',
      'functions/developer/webhooks/following.ts',
      'functions/developer/webhooks/plan.ts',
      'src/http/pagination.ts',
      'src/http/request-context.ts',
      'src/kernel/events.ts',
      'src/ledger/journals.ts',
      'src/platform/listing.ts',
    ),
  },
  'core files name no area': {
    'src/compose.ts': 'sessions of people are looked up with every request',
    'src/handlers.ts': 'the queue is that of webhooks',
    'local/generate.ts': 'the type of the origins',
    ...each(
      'accounts are better-auth’s operations, not declared by contracts',
      'local/interface-text.ts',
      'local/openapi.ts',
      'local/openapi/account-examples.ts',
      'local/openapi/errors.ts',
    ),
    ...each(
      'what a webhook sends is part of the document',
      'local/openapi/event-objects.ts',
      'local/openapi/webhooks.ts',
    ),
    ...each(
      'a walk through the interface, for people',
      'local/demo.ts',
      'local/merchant.ts',
      'local/openapi/parts.ts',
      'local/openapi/text.ts',
      ...globSync('local/simulate*.ts'),
    ),
    ...each('a client of webhooks', 'local/following.ts', 'local/listen.ts'),
    'local/device.ts': 'a reader, as its maker would write it',
    'local/reencrypt.ts': 'all that secrets of the service encrypt',
    'local/workspace.ts': 'an operator decides with the plans of the area',
    'local/verify-audit.ts': 'the form of what the database answers of a chain',
    ...each(
      'credentials and proofs are checked where rows are written',
      'drizzle/sql/020_rows.sql',
      'drizzle/sql/031_idempotency.sql',
      'drizzle/sql/040_authorize.sql',
      'drizzle/sql/050_publish.sql',
      'drizzle/sql/055_events.sql',
      'drizzle/sql/060_due.sql',
    ),
    'drizzle/sql/030_ledger.sql': 'payouts take the entries of the ledger',
    'drizzle/sql/056_metadata.sql': 'payments inherit from whatever is sold',
  },
  'words are plain': {
    ...each(
      'the words of mails and pages, which the languages keep alike',
      'functions/account/api-keys/mails.ts',
      'functions/developer/webhooks/mails.ts',
      'functions/money/payments/mails.ts',
      'functions/page/hosted-payment/pages/mailed/reminders.ts',
      'functions/selling/hosted-checkout/mails.ts',
    ),
  },
  'no file over 400 lines': {
    'drizzle/sql/090_rights.sql': 'generated: a line for each operation and event',
    'src/generated/errors.ts': 'generated: a line for each error and each constraint',
  },
  'only store.ts names drizzle-orm inside an area': {
    'functions/account/auth/identity.ts': 'better-auth takes a Drizzle database',
  },
  'only src/http, src/app.ts and pages name hono': {
    'functions/account/auth/index.ts':
      'carries requests on to better-auth: its routes are no operations of ours',
  },
}

const flows = methods.map((method) => paymentMethods[method].flow)

const rules: Readonly<Record<string, Rule>> = {
  'imports go downward only': downwardOnly,
  'no circle of files': noCircleOfFiles,
  'the kernel imports no package': kernelImportsNoPackage,
  'only store.ts names drizzle-orm inside an area': drizzleInStoresOnly,
  'only src/http, src/app.ts and pages name hono': honoInHttpOnly,
  'contract, lifecycle, plan and present touch no platform': pureFilesTouchNoPlatform,
  'plans ask no clock': plansAskNoClock,
  'areas meet at api.ts': areasMeetAtApi,
  'only receiver.ts reaches the other side of a transfer': transfersMeetAtReceiver,
  'the Worker loads no declaration': declarationsStayWithTools,
  'core files name no area': coreNamesNoArea([...declarations.keys()], Object.keys(generated())),
  'no drawers': noDrawers,
  'no barrels': noBarrels,
  'no any': noAny,
  'nothing is cast to never': noAsNever,
  'no status is cast': statusesAreTyped,
  'payment methods stand in their table': methodsStandInTheirTable(methods, flows),
  'no function over four parameters': fewParameters(4),
  'nothing left over': nothingLeftOver,
  'words are plain': (sources) => plainWords([...sources, ...documents]),
  'no file over 400 lines': noLongFiles(400),
  'money is no number': moneyIsNoNumber,
  'zod comes as a namespace': zodAsNamespace,
  'imports name the file': importsNameTheFile,
}

const documents = ['README.md', ...globSync('docs/**/*.md')].map((path) =>
  sourceOf(path, readFileSync(path, 'utf8')),
)

const files = globSync('{src,functions,drizzle,local,test,bench}/**/*.{ts,js,mjs,sql,css}').filter(
  (path) => !/(^|\/)(node_modules|migrations)\//.test(path),
)
const repository = files.map((path) => sourceOf(path, readFileSync(path, 'utf8')))

describe('the architecture', () => {
  it.each(Object.entries(rules))('%s', (name, rule) => {
    const excepted = exceptions[name] ?? {}
    const violations = rule(repository)
    expect(
      violations.filter(({ path }) => !(path in excepted)).map((v) => `${v.path}: ${v.message}`),
    ).toEqual([])
    const needed = new Set(violations.map(({ path }) => path))
    expect(Object.keys(excepted).filter((path) => !needed.has(path))).toEqual([])
  })

  it('covers the files of the product', () => {
    expect(files.filter((path) => path.startsWith('src/kernel/')).length).toBeGreaterThan(5)
  })

  it('has exceptions only to rules that exist', () => {
    expect(Object.keys(exceptions).filter((name) => !(name in rules))).toEqual([])
  })
})
