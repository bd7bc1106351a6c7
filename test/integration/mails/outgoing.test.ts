import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { normalizeEmail } from '../../../src/kernel/email.ts'
import { newEmail } from '../../support/customer.ts'
import { letters } from '../../support/customers.ts'
import { failMails, linkIn, newOutgoing, outgoingDue, outgoingOf, received } from '../../support/mails.ts'
import { newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const over = (status: string) => ({ status, recipient: null, data: {} })

test('a mail reaches a person without an account, and its recipient is forgotten', async () => {
  const { tenantId } = await newMerchant()
  const [to, id] = [newEmail(), randomUUID()]
  await newOutgoing(tenantId, id, to)
  await trigger('sandbox')
  const [mail] = await received(to)
  expect(mail).toMatchObject({ key: `mail/${id}`, to })
  expect(mail!.text).toContain('Invited by: ana@example.com')
  expect(linkIn(mail!)).toMatch(new RegExp(`^/account/invitation/${id}\\.[0-9a-f]{64}$`))
  await expect.poll(() => outgoingOf(id)).toEqual(over('sent'))
})

test('a provider that fails gets it again under the same key; after 23 hours it is given up', async () => {
  const { tenantId } = await newMerchant()
  const [to, lateTo, id, late] = [newEmail(), newEmail(), randomUUID(), randomUUID()]
  await failMails(to, '500_after', 1)
  await Promise.all([newOutgoing(tenantId, id, to), newOutgoing(tenantId, late, lateTo, 23)])
  await expect
    .poll(
      async () => {
        await outgoingDue(id)
        await trigger('sandbox')
        return [await outgoingOf(id), await outgoingOf(late)]
      },
      { timeout: 60_000 },
    )
    .toEqual([over('sent'), over('given_up')])
  const [mail] = await received(to)
  expect(mail!.handedOver).toBeGreaterThanOrEqual(2)
  expect(await mailsTo(stack.mailboxUrl, lateTo)).toEqual([])
})

test.each([
  'ana@example.com, eve@example.com',
  'ana@example.com\r\nBcc: eve@example.com',
  'Ana <eve@example.com>',
  'ana@example.com;eve@example.com',
  'ana@eve@example.com',
  `${'a'.repeat(250)}@example.com`,
  '',
])('an address that could name a second recipient, or none, is dropped: %j', async (to) => {
  const { tenantId } = await newMerchant()
  const id = randomUUID()
  await newOutgoing(tenantId, id, to)
  expect(await outgoingOf(id)).toEqual(over('dropped'))
})

test('an address that a field takes is mailed, whatever letters it has', async () => {
  const { tenantId } = await newMerchant()
  const written = Array.from(
    { length: 94 },
    (_, at) => `a${String.fromCharCode(33 + at)}b@${letters()}.example`,
  )
  const taken = written.flatMap((address) => normalizeEmail(address) ?? [])
  expect(taken.filter((address) => /^a[&'.+_-]b/.test(address))).toHaveLength(6)
  for (const address of taken) await newOutgoing(tenantId, randomUUID(), address, 0, 'payment_receipt')
  const dropped = await adminSql('sandbox')(
    `select dropped_for from outgoing_mails where tenant_id = $1 and status = 'dropped'`,
    [tenantId],
  )
  expect(dropped).toEqual([])
})

test('a mail counts another to its recipient that is not committed yet', async () => {
  const { tenantId } = await newMerchant()
  const to = newEmail()
  // Of a kind for which nothing but the recipient is locked.
  const add = (id: string) => newOutgoing(tenantId, id, to, 0, 'payment_receipt')
  for (let sent = 0; sent < 9; sent++) await add(randomUUID())
  const client = new Client({ connectionString: stack.databases.sandbox.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>(
      `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
       values ($1, $2, 'payment_receipt', 'en', $3, '{"page": "/x"}', 'waiting', now(), now(), now())
       returning pg_backend_pid() as pid`,
      [tenantId, randomUUID(), to],
    )
    const eleventh = randomUUID()
    const adding = add(eleventh)
    const waiting = () =>
      adminSql('sandbox')('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [
        rows[0]!.pid,
      ])
    await expect.poll(waiting).toHaveLength(1)
    await client.query('commit')
    await adding
    expect(await outgoingOf(eleventh)).toEqual(over('dropped'))
  } finally {
    await client.end()
  }
})

test('of fifty mails to one address at once ten are sent of one workspace, and thirty of all', async () => {
  const workspaces = await Promise.all(Array.from({ length: 4 }, () => newMerchant()))
  const to = newEmail()
  const admitted = async () => {
    const rows = await adminSql('sandbox')<{ tenant_id: string; count: number }>(
      `select tenant_id, count(*)::int from outgoing_mails where tenant_id = any ($1) and recipient_digest is not null
       group by 1`,
      [workspaces.map(({ tenantId }) => tenantId)],
    )
    return rows.map(({ count }) => count).sort()
  }
  const sendFifty = ({ tenantId }: (typeof workspaces)[number]) =>
    Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        newOutgoing(tenantId, randomUUID(), at % 2 === 0 ? to : to.toUpperCase()),
      ),
    )
  await sendFifty(workspaces[0]!)
  expect(await admitted()).toEqual([10])
  for (const workspace of workspaces.slice(1)) await sendFifty(workspace)
  expect(await admitted()).toEqual([10, 10, 10])
})
