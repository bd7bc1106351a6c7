import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { writtenByHand } from '../../support/kept-books.ts'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'

// A trigger opens the account of a first posting, adds to it, and holds each journal at zero. No foreign key holds an
// account, a journal or, for what comes in with each sale, the workspace: their rows stay.

test.each([
  ['deletes a workspace', 'delete from tenants where tenant_id = $1'],
  ['gives a workspace another id', 'update tenants set tenant_id = gen_random_uuid() where tenant_id = $1'],
  ['deletes a journal', 'delete from ledger_journals where tenant_id = $1'],
])('the database refuses who %s', async (_, statement) => {
  const { tenantId } = await newMerchant()
  await booked(tenantId, [
    ['merchant_available', 1],
    ['processor_clearing', -1],
  ])
  await expect(adminSql('sandbox')(statement, [tenantId])).rejects.toMatchObject({ code: 'SP460' })
})

test.each([
  ['is deleted', 'delete from ledger_accounts where tenant_id = $1'],
  ['gets another name', `update ledger_accounts set code = 'merchant_reserved' where tenant_id = $1`],
  ['gets another currency', `update ledger_accounts set currency = 'usd' where tenant_id = $1`],
])('the database refuses that an account of the ledger %s', async (_, statement) => {
  const merchant = await newMerchant()
  const { public_id } = await newLink(merchant)
  await pay(public_id, await openLink(public_id), 'tok_sbx_approve')
  const accounts = () =>
    adminSql('sandbox')('select * from ledger_accounts where tenant_id = $1 order by code', [
      merchant.tenantId,
    ])
  const before = await accounts()
  expect(before.length).toBeGreaterThan(0)
  await expect(adminSql('sandbox')(statement, [merchant.tenantId])).rejects.toMatchObject({ code: 'SP460' })
  expect(await accounts()).toEqual(before)
})

type Line = [account: string, amountMinor: number, currency?: string]

/** Books one journal by statements of its lines. */
async function booked(tenantId: string, ...statements: Line[][]) {
  writtenByHand(tenantId)
  const id = randomUUID()
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query(`begin;
      insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
      values ('${tenantId}', '${id}', 'payment', '${id}', 'release', 'mxn', now())`)
    for (const lines of statements)
      await client.query(
        `insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor) values ${lines
          .map(
            ([account, minor, currency = 'mxn'], at) =>
              `('${tenantId}', '${id}', ${at + 1}, '${currency}', '${account}', ${minor})`,
          )
          .join()}`,
      )
    await client.query('commit')
  } finally {
    await client.end()
  }
}

test('the first posting opens its account', async () => {
  const { tenantId } = await newMerchant()
  const accounts = () =>
    adminSql('sandbox')(
      'select code, balance_minor from ledger_accounts where tenant_id = $1 order by code',
      [tenantId],
    )
  expect(await accounts()).toEqual([])
  for (const amount of [5, -2])
    await booked(tenantId, [
      ['merchant_available', amount],
      ['processor_clearing', -amount],
    ])
  expect(await accounts()).toEqual([
    { code: 'merchant_available', balance_minor: '3' },
    { code: 'processor_clearing', balance_minor: '-3' },
  ])
})

test('50 first postings at once open each account once, with their sum', async () => {
  const { tenantId } = await newMerchant()
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      booked(tenantId, [
        ['merchant_pending', at + 1],
        ['processor_clearing', -at - 1],
      ]),
    ),
  )
  expect(
    await adminSql('sandbox')(
      'select code, balance_minor from ledger_accounts where tenant_id = $1 order by code',
      [tenantId],
    ),
  ).toEqual([
    { code: 'merchant_pending', balance_minor: '1275' },
    { code: 'processor_clearing', balance_minor: '-1275' },
  ])
})

const unbalanced: [what: string, ...statements: Line[][]][] = [
  [
    'does not sum to zero',
    [
      ['merchant_available', 1],
      ['processor_clearing', -2],
    ],
  ],
  ['is booked by two statements', [['merchant_available', 1]], [['processor_clearing', -1]]],
  [
    'is of two currencies',
    [
      ['merchant_available', 1],
      ['processor_clearing', -1, 'usd'],
    ],
  ],
]
test.each(unbalanced)('refused: a journal that %s', async (_, ...statements) => {
  const { tenantId } = await newMerchant()
  await expect(booked(tenantId, ...statements)).rejects.toMatchObject({ code: 'SP450' })
  expect(await adminSql('sandbox')('select from ledger_accounts where tenant_id = $1', [tenantId])).toEqual(
    [],
  )
})

test.each([
  ['that is not there', 'gen_random_uuid()', 'mxn'],
  ['of another currency', 'journal_id', 'usd'],
  ['of another workspace', 'journal_id', 'mxn'],
])('refused: postings to a journal %s', async (which, journal, currency) => {
  const [{ tenantId }, other] = await Promise.all([newMerchant(), newMerchant()])
  await booked(tenantId, [
    ['merchant_available', 1],
    ['processor_clearing', -1],
  ])
  await expect(
    adminSql('sandbox')(
      `with one as (select journal_id, ${journal} as other_id from ledger_postings where tenant_id = $1 limit 1)
       insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
       select $2, other_id, line, $3, account, amount from one,
         (values (3, 'merchant_available', 1), (4, 'processor_clearing', -1)) of (line, account, amount)`,
      [tenantId, which === 'of another workspace' ? other.tenantId : tenantId, currency],
    ),
  ).rejects.toMatchObject({ code: 'SP450' })
})

test('refused: a posting to a journal that is booked', async () => {
  const { tenantId } = await newMerchant()
  await booked(tenantId, [
    ['merchant_available', 1],
    ['processor_clearing', -1],
  ])
  await expect(
    adminSql('sandbox')(
      `insert into ledger_postings select tenant_id, journal_id, 3, currency, account_code, 1 from ledger_postings
       where tenant_id = $1 and line = 1`,
      [tenantId],
    ),
  ).rejects.toMatchObject({ code: 'SP450' })
})
