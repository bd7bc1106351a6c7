import { randomUUID } from 'node:crypto'
import { customersPage, termsAsked, timelinePage } from '../functions/people/customers/store.ts'
import { send } from '../local/merchant.ts'
import type { Stack } from '../local/stack.ts'
import { type Buffers, type List, listBuffers } from './buffers.ts'
import type { Scenario } from './interleave.ts'
import { fill } from './lists.ts'
import type { Merchant } from './merchant.ts'
import type { Till } from './money.ts'

/** One in forty has such a given name, one in 2,000 such a surname; every 50th is tagged `vip`. */
const customers: List = {
  name: 'customers',
  page: customersPage,
  cases: [
    { what: 'all', filters: {} },
    { what: 'status', filters: { status: 'blocked' }, onePage: true },
    { what: 'e-mail', filters: termsAsked({ email: 'buyer777777@example.com' }), onePage: true },
    { what: 'phone', filters: termsAsked({ phone: '+525510777777' }), onePage: true },
    { what: 'beginning of an e-mail', filters: termsAsked({ query: 'buyer77777@' }), onePage: true },
    {
      what: 'both words of a name, accents folded',
      filters: termsAsked({ query: 'José Lopez17' }),
      onePage: true,
    },
    { what: 'a surname', filters: termsAsked({ query: 'lopez17' }), onePage: true },
    { what: 'a given name that 25,000 have', filters: termsAsked({ query: 'josé' }), onePage: true },
    { what: 'a name that none has', filters: termsAsked({ query: 'zzyzx' }), onePage: true },
    { what: 'tag', filters: termsAsked({ tag: 'vip' }) },
  ],
}

const givenNames = `array['josé','maría','juan','luis','ana','carlos','sofía','jorge','laura','pedro','elena','raúl',
  'carmen','miguel','rosa','diego','lucía','pablo','marta','andrés','julia','víctor','irene','óscar','teresa','hugo',
  'nora','iván','alma','rubén','clara','saúl','inés','tomás','paula','félix','diana','joel','silvia','ángel']`

/** Buffers of the list and the searches of customers, over `rows` customers of one tenant. */
export async function customerBuffers(stack: Stack, tenantId: string, rows: number): Promise<Buffers> {
  await fill(
    stack.postgres,
    ['customers', 'customer_terms'],
    `with made as materialized (
       select n, gen_random_uuid() as id, timestamptz '2026-01-01' + n * interval '1 second' as at,
         (${givenNames})[1 + n % 40] as given, (array['lopez','garcia','perez','cruz'])[1 + n / 40 % 4] || n / 160 % 500 as surname,
         case when n % 50 = 0 then array['vip'] else '{}' end as tags
       from generate_series(1, $2::int) n),
     kept as (
       insert into customers (tenant_id, id, status, name, email, phone, addresses, tags, metadata, field_stamps, terms, version,
         created_at, updated_at)
       select $1, id, case when n % 100000 = 0 then 'blocked' else 'active' end, initcap(given || ' ' || surname),
         'buyer' || n || '@example.com', '+52551' || lpad(n::text, 7, '0'), '[]', tags, '{}', '{}', '{}', 1, at, at from made)
     insert into customer_terms (tenant_id, term, created_at, id)
     select $1, term, at, id from made cross join lateral unnest(array['n:' || translate(given, 'áéíóú', 'aeiou'),
       'n:' || surname, 'e:buyer' || n || '@example.com', 'p:52551' || lpad(n::text, 7, '0'), 'p:551' || lpad(n::text, 7, '0')]
       || case when tags <> '{}' then array['t:vip'] else '{}' end) term`,
    [tenantId, rows],
  )
  return listBuffers(stack, tenantId, customers, rows)
}

/** Buffers of the timeline of one customer to whom `rows` events happened. */
export async function timelineBuffers(stack: Stack, tenantId: string, rows: number): Promise<Buffers> {
  const id = '00000000-0000-4000-8000-000000000001'
  await fill(
    stack.postgres,
    ['customers', 'customer_timeline'],
    `with known as (
       insert into customers (tenant_id, id, status, addresses, tags, metadata, field_stamps, terms, version, created_at, updated_at)
       values ($1, $3, 'active', '[]', '{}', '{}', '{}', '{}', 1, now(), now()))
     insert into customer_timeline (tenant_id, id, customer_id, source, event_key, resource_type, type, resource_id, summary, occurred_at)
     select $1, gen_random_uuid(), $3, 'spindle', n::text, kind, kind || '.succeeded', n::text, '{}',
       timestamptz '2026-01-01' + n * interval '1 second'
     from (select n, case when n % 4 = 0 then 'refund' else 'payment' end as kind from generate_series(1, $2::int) n) made`,
    [tenantId, rows, id],
  )
  const timeline: List = {
    name: 'events of one customer',
    page: timelinePage,
    cases: [
      { what: 'all', filters: { ofCustomer: id } },
      { what: 'kind', filters: { ofCustomer: id, kind: 'refund' } },
    ],
  }
  return listBuffers(stack, tenantId, timeline, rows)
}

export const batchRecords = 500
const timelineNotes = 40

/** A customer is read, a page of 20 of their timeline, and batches of 500 new customers come from a source. */
export async function hubScenarios({ ours }: Till, { apiKey }: Merchant): Promise<Scenario[]> {
  const make = async (path: string, body: Record<string, string>): Promise<string> => {
    const reply = await send(ours.url, `/v1/customer-hub${path}`, { bearer: apiKey, key: randomUUID(), body })
    const text = await reply.text()
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${text}`)
    return (JSON.parse(text) as { id: string }).id
  }
  const customer = await make('/customers', { name: 'Ana Ruiz', email: 'ana@example.com' })
  for (let made = 0; made < timelineNotes; made++)
    await make(`/customers/${customer}/notes`, { text: `Nota ${made}` })
  const source = await make('/sync-sources', { name: 'Webshop' })
  const records = Array.from({ length: batchRecords }, (_, at) => ({
    external_id: `{fresh}-${at}`,
    customer: { name: `Ana Ruiz ${at}`, email: `{fresh}${at}@example.com`, tags: ['webshop'] },
  }))
  const headers = { Authorization: `Bearer ${apiKey}` }
  const one = `${ours.url}/v1/customer-hub/customers/${customer}`
  const read = (name: string, url: string): Scenario => ({
    name,
    load: { url, method: 'GET', headers, expectedStatus: 200 },
    worker: ours,
  })
  return [
    read('customer', one),
    read('timeline', `${one}/timeline?limit=20`),
    {
      name: 'batch',
      load: {
        url: `${ours.url}/v1/customer-hub/sync-sources/${source}/records/batch`,
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        requests: [{ body: JSON.stringify({ records }) }],
        expectedStatus: 200,
      },
      worker: ours,
    },
  ]
}
