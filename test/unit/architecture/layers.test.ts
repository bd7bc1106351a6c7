import { describe } from 'vitest'
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
  transfersMeetAtReceiver,
} from './layers.ts'
import { importing, importingType, shows } from './sample.ts'

/** A file of hand-written SQL beside the schema of links and of events. */
const inSql = (name: string, text: string) => ({
  'drizzle/schema/payment-links.ts': "export const paymentLinks = pgTable('payment_links', {})",
  'drizzle/schema/events.ts': "export const events = pgTable('events', {})",
  [`drizzle/sql/${name}`]: text,
})

describe('downwardOnly', () =>
  shows(downwardOnly, [
    ['platform imports kernel', { 'src/platform/a.ts': importing('../kernel/b.ts') }, 0],
    ['http imports ledger', { 'src/http/a.ts': importing('../ledger/b.ts') }, 0],
    ['worker imports app', { 'src/worker.ts': importing('./app.ts') }, 0],
    ['app loads an area later', { 'src/app.ts': "import('../functions/money/x/index.ts')" }, 0],
    ['a neighbor in the room', { 'src/ledger/a.ts': importing('./b.ts') }, 0],
    ['a test imports everything', { 'test/unit/a.ts': importing('../../src/worker.ts') }, 0],
    ['kernel imports platform', { 'src/kernel/a.ts': importing('../platform/b.ts') }, 1],
    ['kernel takes a type of platform', { 'src/kernel/a.ts': importingType('../platform/b.ts') }, 1],
    ['kernel names one in place', { 'src/kernel/a.ts': "type A = import('../platform/b.ts').A" }, 1],
    ['platform loads an area later', { 'src/platform/a.ts': "import('../../functions/money/x/b.ts')" }, 1],
    [
      'schema passes on the platform',
      { 'drizzle/schema/a.ts': "export * from '../../src/platform/b.ts'" },
      1,
    ],
    ['ledger imports processors', { 'src/ledger/a.ts': importing('../processors/b.ts') }, 1],
    ['http imports an area', { 'src/http/a.ts': importing('../../functions/money/x/index.ts') }, 1],
    ['http imports the jobs', { 'src/http/a.ts': importing('../generated/jobs.ts') }, 1],
    ['app imports worker', { 'src/app.ts': importing('./worker.ts') }, 1],
    ['an area imports the local stack', { 'functions/money/x/a.ts': importing('../../../local/b.ts') }, 1],
    ['an area imports a lower group', { 'functions/goods/x/a.ts': importing('../../money/y/api.ts') }, 0],
    ['an area imports a group beside', { 'functions/goods/x/a.ts': importing('../../people/y/api.ts') }, 1],
    ['an area imports a higher group', { 'functions/money/x/a.ts': importing('../../page/y/api.ts') }, 1],
    ['what is bought takes goods', { 'functions/order/x/a.ts': importing('../../goods/y/api.ts') }, 0],
    ['what is bought draws a page', { 'functions/order/x/a.ts': importing('../../page/y/api.ts') }, 1],
    ['a new group', { 'functions/attic/x/a.ts': 'export const a = 1' }, 1],
    ['an area imports a test', { 'functions/money/x/a.ts': importing('../../../test/b.ts') }, 1],
    ['a new floor', { 'src/basement/a.ts': 'export const a = 1' }, 1],
  ]))

describe('coreNamesNoArea', () =>
  shows(coreNamesNoArea(['selling/payment-links', 'account/auth'], ['drizzle/sql/016_areas.sql']), [
    ['the app', { 'src/app.ts': importing('../functions/account/auth/index.ts') }, 0],
    ['an area', { 'functions/account/auth/a.ts': importing('../functions/selling/payment-links/api.ts') }, 0],
    ['a tool', { 'local/a.ts': importing('../functions/selling/payment-links/api.ts') }, 1],
    ['a lazy import', { 'src/a.ts': "export const a = () => import('../functions/account/auth/a.ts')" }, 1],
    ['a path of the interface', { 'src/http/a.ts': "export const a = '/v1/refunds'" }, 1],
    ['its table in SQL', inSql('020_rows.sql', 'update public.payment_links set a = 1'), 1],
    ['its table by name', inSql('020_rows.sql', "array['payment_links']"), 1],
    ['a table of the core', inSql('020_rows.sql', 'update public.events set a = 1'), 0],
    ['its own SQL', inSql('057_payment_links_terms.sql', 'update public.payment_links set a = 1'), 0],
    [
      'SQL whose name only begins alike',
      inSql('040_authorize.sql', 'update public.payment_links set a = 1'),
      1,
    ],
    ['what is generated', inSql('016_areas.sql', "values ('payment_links')"), 0],
  ]))

describe('kernelImportsNoPackage', () =>
  shows(kernelImportsNoPackage, [
    ['its own', { 'src/kernel/a.ts': importing('./b.ts') }, 0],
    ['the platform may', { 'src/platform/a.ts': importing('zod') }, 0],
    ['a package', { 'src/kernel/a.ts': "import * as z from 'zod'" }, 1],
    ['Node', { 'src/kernel/a.ts': importing('node:crypto') }, 1],
    ['a type of a package', { 'src/kernel/a.ts': importingType('hono') }, 1],
  ]))

describe('drizzleInStoresOnly', () =>
  shows(drizzleInStoresOnly, [
    ['a store', { 'functions/money/x/store.ts': importing('drizzle-orm/pg-core') }, 0],
    ['the platform', { 'src/platform/a.ts': importing('drizzle-orm') }, 0],
    ['a plan', { 'functions/money/x/plan.ts': importing('drizzle-orm/pg-core') }, 1],
    ['a type in a plan', { 'functions/money/x/plan.ts': importingType('drizzle-orm') }, 1],
  ]))

describe('honoInHttpOnly', () =>
  shows(honoInHttpOnly, [
    ['a page', { 'functions/money/x/pages/a.ts': importing('hono/html') }, 0],
    ['app', { 'src/app.ts': importing('hono') }, 0],
    ['http', { 'src/http/stages/a.ts': importing('@hono/zod-validator') }, 0],
    ['a test', { 'test/unit/a.ts': importing('hono') }, 0],
    ['operations', { 'functions/money/x/operations.ts': importing('hono') }, 1],
    ['worker', { 'src/worker.ts': importing('hono') }, 1],
    ['a package around it', { 'src/platform/a.ts': importing('@hono/zod-validator') }, 1],
  ]))

describe('declarationsStayWithTools', () =>
  shows(declarationsStayWithTools, [
    ['a declaration takes its errors', { 'functions/money/x/area.ts': importing('./errors.ts') }, 0],
    ['a type', { 'src/http/a.ts': importingType('./declaration.ts') }, 0],
    ['a tool', { 'local/a.ts': importing('../functions/money/x/area.ts') }, 0],
    ['operations', { 'functions/money/x/operations.ts': importing('./errors.ts') }, 1],
    ['app, later', { 'src/app.ts': "import('../functions/money/x/area.ts')" }, 1],
  ]))

const platform = '../../../src/platform/a.ts'

describe('pureFilesTouchNoPlatform', () =>
  shows(pureFilesTouchNoPlatform, [
    ['operations may', { 'functions/money/x/operations.ts': importing(platform) }, 0],
    ['a plan may take a type', { 'functions/money/x/plan.ts': importingType(platform) }, 0],
    [
      'a lifecycle and the kernel',
      { 'functions/money/x/lifecycle.ts': importing('../../../src/kernel/b.ts') },
      0,
    ],
    ['a plan', { 'functions/money/x/plan.ts': importing(platform) }, 1],
    ['a part of a plan', { 'functions/money/x/plan-refund.ts': importing(platform) }, 1],
    [
      'a presenter and the environment',
      { 'functions/money/x/present.ts': importing('../../../src/env/settings.ts') },
      1,
    ],
    ['a contract and Node', { 'functions/money/x/contract.ts': importing('node:fs') }, 1],
    ['a plan and the driver', { 'functions/money/x/plan.ts': importing('@neondatabase/serverless') }, 1],
    [
      'a plan through two neighbors',
      {
        'functions/money/x/plan.ts': importing('./b.ts'),
        'functions/money/x/b.ts': importing('./c.ts'),
        'functions/money/x/c.ts': importing(platform) + importing('./b.ts'),
      },
      1,
    ],
  ]))

describe('areasMeetAtApi', () => {
  const published = { 'functions/money/x/a.ts': importing('../y/api.ts') }
  const back = { 'functions/money/y/a.ts': importing('../x/api.ts') }

  shows(areasMeetAtApi, [
    ['its own folders', { 'functions/money/x/pages/a.ts': importing('../plan.ts') }, 0],
    ['through the door', published, 0],
    ['past the door', { 'functions/money/x/a.ts': importing('../y/store.ts') }, 1],
    ['past the door for a type', { 'functions/money/x/a.ts': importingType('../y/store.ts') }, 1],
    ['both ways', { ...published, ...back }, 1],
  ])
})

describe('noCircleOfFiles', () => {
  const around = (back: string) => ({
    'src/http/a.ts': importing('./b.ts'),
    'src/http/b.ts': importing('./c.ts'),
    'src/http/c.ts': back,
  })

  shows(noCircleOfFiles, [
    ['one way', around(importing('../kernel/d.ts')), 0],
    ['back by values', around(importing('./a.ts')), 1],
    ['back by a type', around(importingType('./a.ts')), 0],
    ['back when it is reached', around("import('./a.ts')"), 0],
  ])
})

describe('transfersMeetAtReceiver', () => {
  const transfers = (file: string, text: string) => ({ [`functions/money/transfers/${file}`]: text })
  const schema = (text: string) => ({ 'drizzle/schema/transfers.ts': text })
  const asks = "const text = 'select door.workspace_is_open($1)'"
  const arrives = 'insert(incomingTransfers, row)'
  shows(transfersMeetAtReceiver, [
    ['the receiver asks', transfers('receiver.ts', asks), 0],
    ['the receiver publishes', transfers('receiver.ts', 'systemCall(work, id); planReceive(arrival)'), 0],
    ['the plan writes the arrival', transfers('plan-receive.ts', arrives), 0],
    ['a workspace reads its own arrivals', transfers('store.ts', 'newest(incomingTransfers)'), 0],
    ['another area calls the system', { 'functions/money/x/send.ts': 'systemCall(work, id)' }, 0],
    ['the sender’s row refers to its key', schema("refersTo('a', t, t.apiKeyId, apiKeys)"), 0],
    ['an operation asks', transfers('operations.ts', asks), 1],
    ['another area asks', { 'functions/money/x/store.ts': asks }, 1],
    ['sending publishes there', transfers('send.ts', 'systemCall(work, id)'), 1],
    ['an outcome books there', transfers('plan-outcome.ts', arrives), 1],
    ['another area books there', { 'functions/money/x/plan.ts': arrives }, 1],
    ['another caller of the plan', transfers('send.ts', 'publish(contracts.receive, plan)'), 1],
    ['SQL reads arrivals', { 'drizzle/sql/042_transfers.sql': 'select from public.incoming_transfers' }, 1],
    ['a key to the receiver', schema("ofTenant('a', t.destinationTenantId)"), 1],
    ['a key to the sent transfer', schema("foreignKey({ name: 'a', columns: [t.sourceTransferId] })"), 1],
  ])
})
