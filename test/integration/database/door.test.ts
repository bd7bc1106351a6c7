import { describe, expect, test } from 'vitest'
import { writesRowsByHand } from '../../support/kept-books.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { funded, payOut, payoutsOf } from '../../support/payouts.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'
import { newFunded, transfer } from '../../support/transfers.ts'
import {
  asKey,
  changeLink,
  changeLinks,
  id,
  insertLink,
  journal,
  newLinkRow,
  newWorld,
  publish,
  type World,
} from './door.ts'

writesRowsByHand()

/* What the door refuses here, no bug of ours can get past. */

test('what is allowed goes through, under the tenant of the credential', async () => {
  const { merchant } = await newWorld()
  const write = insertLink()
  const answer = await publish({
    credential: asKey(merchant.apiKey),
    operation: 'payment_links.create',
    writes: [write],
  })
  expect(answer).toMatchObject({ kind: 'api_key', tenantId: merchant.tenantId, actorId: merchant.keyId })
  const rows = await adminSql('sandbox')('select tenant_id from payment_links where id = $1', [
    write.rows[0]!.id,
  ])
  expect(rows).toEqual([{ tenant_id: merchant.tenantId }])
})

test('equal requests under different keys have nothing in common', async () => {
  const merchant = await newMerchant()
  for (const _ of [1, 2]) await newLink(merchant)
  const claims = await adminSql('sandbox')<{ fingerprint: string }>(
    'select fingerprint from idempotency_claims where tenant_id = $1',
    [merchant.tenantId],
  )
  expect(new Set(claims.map(({ fingerprint }) => fingerprint)).size).toBe(2)
})

/** One line per guard: what an API key's own operation asks, and the SQLSTATE that refuses it. */
const refusals: [what: string, code: string, operation: string, writes: (world: World) => object[]][] = [
  [
    'a row that names its tenant',
    'SP460',
    'create',
    ({ other }) => [insertLink({ tenant_id: other.tenantId })],
  ],
  [
    'a later row that names its tenant',
    'SP460',
    'create',
    ({ other }) => [{ ...insertLink(), rows: [newLinkRow(), newLinkRow({ tenant_id: other.tenantId })] }],
  ],
  [
    'a status that only a later row has',
    'SP440',
    'create',
    () => [
      { ...insertLink(), rows: [newLinkRow({ status: undefined }), newLinkRow({ status: 'archived' })] },
    ],
  ],
  ['a table of another operation', 'SP460', 'create', () => [{ ...insertLink(), table: 'payments' }]],
  ['a table that no operation writes', 'SP460', 'create', () => [{ ...insertLink(), table: 'events' }]],
  ['a table that is none', 'SP460', 'create', () => [{ ...insertLink(), table: 'pg_authid' }]],
  [
    'a table with SQL in its name',
    'SP460',
    'create',
    () => [{ ...insertLink(), table: 'payment_links; drop table x' }],
  ],
  ['a table that is missing', 'SP460', 'create', () => [{ ...insertLink(), table: undefined }]],
  [
    'a journal of an operation that posts none',
    'SP460',
    'create',
    () => [
      journal([
        ['merchant_pending', '1'],
        ['processor_clearing', '-1'],
      ]),
    ],
  ],
  [
    'a journal that does not say its table',
    'SP460',
    'create',
    () => [
      {
        ...journal([
          ['merchant_pending', '1'],
          ['processor_clearing', '-1'],
        ]),
        table: undefined,
      },
    ],
  ],
  ['any write of an operation that reads', 'SP460', 'get', () => [insertLink()]],
  ['a birth in another status', 'SP440', 'create', () => [insertLink({ status: 'paid' })]],
  [
    'a second row born in another status',
    'SP440',
    'create',
    () => [{ kind: 'insert', table: 'payment_links', rows: [newLinkRow(), newLinkRow({ status: 'paid' })] }],
  ],
  ['a column that is none', 'SP460', 'create', () => [insertLink({ nonsense: 1 })]],
  [
    'a change of a column that is none',
    'SP460',
    'archive',
    ({ link }) => [changeLink(link, { nonsense: 1 })],
  ],
  [
    'a move that no lifecycle has',
    'SP440',
    'archive',
    ({ link }) => [changeLink({ ...link, status: 'archived' }, { status: 'active' })],
  ],
  [
    'a move from a status that the row does not have',
    'SP409',
    'activate',
    ({ link }) => [changeLink({ ...link, status: 'inactive' }, { status: 'active' })],
  ],
  [
    'a move from no status',
    'SP440',
    'archive',
    ({ link }) => [changeLink(link, { status: 'archived' }, { fromStatus: null })],
  ],
  ['a status that is none', 'SP440', 'archive', ({ link }) => [changeLink(link, { status: 'sold' })]],
  [
    'a version that has moved',
    'SP409',
    'update',
    ({ link }) => [changeLink({ ...link, version: 7 }, { description: 'x' })],
  ],
  ["another tenant's row", 'SP409', 'update', ({ foreign }) => [changeLink(foreign, { description: 'x' })]],
  [
    'a new tenant for a row',
    'SP460',
    'update',
    ({ link, other }) => [changeLink(link, { tenant_id: other.tenantId })],
  ],
  ['a new id for a row', 'SP460', 'update', ({ link }) => [changeLink(link, { id: id() })]],
  ['a version of its own', 'SP460', 'update', ({ link }) => [changeLink(link, { version: 9 })]],
  [
    'a delta on what is no counter',
    'SP460',
    'update',
    ({ link }) => [{ kind: 'adjust', table: 'payment_links', id: link.id, deltas: { amount_minor: 1 } }],
  ],
  [
    'an expectation that does not hold',
    'SP430',
    'update',
    ({ link }) => [{ kind: 'expect', table: 'payment_links', id: link.id, where: { status: 'paid' } }],
  ],
  [
    'an expectation until a time that is no column',
    'SP430',
    'update',
    ({ link }) => [{ kind: 'expect', table: 'payment_links', id: link.id, where: {}, unexpired: 'ends_at' }],
  ],
  [
    "an expectation of another tenant's row",
    'SP430',
    'update',
    ({ foreign }) => [{ kind: 'expect', table: 'payment_links', id: foreign.id, where: {} }],
  ],
  [
    'a set with a row that has moved',
    'SP409',
    'update',
    ({ link }) => [changeLinks([link, { ...link, version: 7 }], { description: 'x' })],
  ],
  [
    "a set with another tenant's row",
    'SP409',
    'update',
    ({ link, foreign }) => [changeLinks([link, foreign], { description: 'x' })],
  ],
  [
    'a set with a row from a status that it does not have',
    'SP409',
    'activate',
    ({ link }) => [changeLinks([{ ...link, status: 'inactive' }], { status: 'active' })],
  ],
  [
    'a set with a move that no lifecycle has',
    'SP440',
    'archive',
    ({ link }) => [changeLinks([link, { ...link, status: 'archived' }], { status: 'active' })],
  ],
  ['a set with a version of its own', 'SP460', 'update', ({ link }) => [changeLinks([link], { version: 9 })]],
  [
    'a set of a table of another operation',
    'SP460',
    'update',
    ({ link }) => [changeLinks([link], { description: 'x' }, { table: 'payments' })],
  ],
]
test.each(refusals)('refused: %s', async (_what, code, operation, writes) => {
  const world = await newWorld()
  const before = await rowsOf(world)
  await expect(
    publish({
      credential: asKey(world.merchant.apiKey),
      operation: `payment_links.${operation}`,
      writes: writes(world),
    }),
  ).rejects.toMatchObject({ code })
  expect(await rowsOf(world)).toEqual(before)
})

test('refused: a delta of another tenant’s payment, one below a CHECK, and one beside a counter', async () => {
  const merchant = await newMerchant()
  const [mine, foreign] = [await paidByCard(merchant), await paidByCard(await newMerchant())]
  for (const [payment, deltas, code] of [
    [foreign, { amount_refunded_minor: 1 }, 'SP430'],
    [mine, { amount_refunded_minor: -1 }, '23514'],
    [mine, { amount_refunded_minor: 1, amount_captured_minor: 1 }, 'SP460'],
  ] as const)
    await expect(
      publish({
        credential: asKey(merchant.apiKey),
        operation: 'refunds.create',
        writes: [{ kind: 'adjust', table: 'payments', id: payment, deltas }],
      }),
    ).rejects.toMatchObject({ code })
})

test('what leaves keeps what it was made with, even if its row changes', async () => {
  const merchant = await newFunded()
  const { id: sent } = (await transfer(merchant)).body
  const { merchant: paidOut } = await funded()
  await payOut(paidOut)
  const [payout] = await payoutsOf(paidOut)
  const { id: refunded } = (await refund(merchant, { payment_id: await paidByCard(merchant), amount: '100' }))
    .body
  const otherClabe = `destination_clabe = '646180000000000019'`
  for (const [table, row, set] of [
    ['payouts', payout!.id, otherClabe],
    ['payouts', payout!.id, `destination_holder = 'Eva Ruiz'`],
    ['payouts', payout!.id, 'amount_minor = amount_minor + 1, gross_minor = gross_minor + 1'],
    ['payouts', payout!.id, `created_at = created_at + interval '1 year'`],
    ['transfers', sent, otherClabe],
    ['transfers', sent, 'amount_minor = amount_minor + 1'],
    ['transfers', sent, 'api_key_id = gen_random_uuid()'],
    ['refunds', refunded, 'amount_minor = amount_minor + 1'],
    ['refunds', refunded, `origin = 'processor'`],
  ] as const)
    await expect(
      adminSql('sandbox')(`update ${table} set ${set} where id = $1`, [row]),
      `${table}: ${set}`,
    ).rejects.toMatchObject({ code: 'SP460' })
  // A payout that was taken from no balance.
  const journals = `delete from ledger_postings where journal_id in (select id from ledger_journals where source_id = $1)`
  await expect(adminSql('sandbox')(journals, [payout!.id])).rejects.toMatchObject({ code: 'SP460' })
  await expect(
    adminSql('sandbox')(
      `insert into payouts select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'entries_count', 0,
         'gross_minor', p.amount_minor, 'fee_minor', 0))).* from payouts p where id = $1`,
      [payout!.id],
    ),
  ).rejects.toMatchObject({ code: 'SP450' })
})

const floors: [what: string, leaves: object][] = [
  ['less than it says it must', { accounts: ['merchant_available'], balanceMinorMin: '-99' }],
  ['nothing of other accounts', { accounts: ['merchant_pending', 'merchant_reserve'], balanceMinorMin: '1' }],
  ['a balance without a stated minimum', { accounts: ['merchant_available'] }],
]
test.each(floors)('refused: a journal that leaves %s', async (_what, leaves) => {
  const { merchant } = await newWorld()
  const taken = journal(
    [
      ['merchant_available', '-100'],
      ['refunds_in_flight', '100'],
    ],
    { sourceType: 'refund', entryKind: 'refund', leaves },
  )
  const asked = { credential: asKey(merchant.apiKey), operation: 'refunds.create', writes: [taken] }
  await expect(publish(asked)).rejects.toMatchObject({ code: 'SP430' })
  expect(
    await adminSql('sandbox')('select code from ledger_accounts where tenant_id = $1', [merchant.tenantId]),
  ).toEqual([])
})

test('refused: a journal after which a balance has more digits than replies can show', async () => {
  const { merchant } = await newWorld()
  const most = '9'.repeat(18)
  const post = (amountMinor: string) =>
    publish({
      credential: asKey(merchant.apiKey),
      operation: 'refunds.create',
      writes: [
        journal([
          ['merchant_pending', amountMinor],
          ['processor_clearing', `-${amountMinor}`],
        ]),
      ],
    })
  await post(most)
  for (const more of ['1', most])
    await expect(post(more)).rejects.toMatchObject({ code: '23514', constraint: 'ledger_accounts_bounds' })
})

/** Journals that one statement books: if one is refused, all are. */
const sets: [what: string, code: string, second: object][] = [
  [
    'one that does not sum to zero',
    'SP450',
    { postings: [{ account: 'merchant_pending', amountMinor: '1' }] },
  ],
  ['one of a source that is booked', '23505', {}],
  ['one that leaves less than it says it must', 'SP430', { sourceId: id(), leaves: floors[0]![1] }],
]
test.each(sets)('refused: a set of journals with %s', async (_what, code, second) => {
  const { merchant } = await newWorld()
  const { table, ...first } = journal([
    ['merchant_available', '-100'],
    ['refunds_in_flight', '100'],
  ])
  const set = { kind: 'postEach', table, journals: [first, { ...first, id: id(), ...second }] }
  const asked = { credential: asKey(merchant.apiKey), operation: 'refunds.create', writes: [set] }
  await expect(publish(asked)).rejects.toMatchObject({ code })
  expect(
    await adminSql('sandbox')('select code from ledger_accounts where tenant_id = $1', [merchant.tenantId]),
  ).toEqual([])
})

const rowsOf = ({ merchant, other }: World) =>
  adminSql('sandbox')(`select * from payment_links where tenant_id = any ($1) order by id`, [
    [merchant.tenantId, other.tenantId],
  ])

test('one refused write cancels all the others', async () => {
  const world = await newWorld()
  const before = await rowsOf(world)
  await expect(
    publish({
      credential: asKey(world.merchant.apiKey),
      operation: 'payment_links.create',
      claim: { keys: ['c'.repeat(64)], fingerprint: 'f', status: 201, body: '{}' },
      writes: [insertLink(), insertLink({ merchant_markup_bps: 5 })],
    }),
  ).rejects.toMatchObject({ code: '23514', constraint: 'payment_links_absorb_no_markup' })
  expect(await rowsOf(world)).toEqual(before)
  const claims = await adminSql('sandbox')(
    'select key from idempotency_claims where tenant_id = $1 and key = $2',
    [world.merchant.tenantId, 'c'.repeat(64)],
  )
  expect(claims).toEqual([])
})

describe('a key that is claimed under several versions of the secret', () => {
  const digest = (letter: string) => letter.repeat(64)
  const claiming = async (apiKey: string, keys: string[], fingerprint = 'f') =>
    publish({
      credential: asKey(apiKey),
      operation: 'payment_links.create',
      claim: { keys, fingerprint, status: 201, body: '{}' },
      writes: [insertLink()],
    }).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )

  test('is found under each of them', async () => {
    const { apiKey } = (await newWorld()).merchant
    expect(await claiming(apiKey, [digest('a'), digest('b')])).toBe('done')
    for (const keys of [['a'], ['b'], ['b', 'c'], ['0', 'a']])
      expect([keys, await claiming(apiKey, keys.map(digest))]).toEqual([keys, 'SP410'])
    expect(await claiming(apiKey, [digest('b')], 'another')).toBe('SP411')
    expect(await claiming(apiKey, [digest('c')])).toBe('done')
  })

  test('50 at once from Workers that know one version or both: one takes effect', async () => {
    const { apiKey, tenantId } = (await newWorld()).merchant
    const count = `select count(*)::int as links from payment_links where tenant_id = $1`
    const [before] = await adminSql('sandbox')<{ links: number }>(count, [tenantId])
    const known = [['a'], ['a', 'b'], ['a', 'b', 'c']]
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) => claiming(apiKey, known[at % known.length]!.map(digest))),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'SP410')).toHaveLength(49)
    expect(await adminSql('sandbox')(count, [tenantId])).toEqual([{ links: before!.links + 1 }])
  })
})
