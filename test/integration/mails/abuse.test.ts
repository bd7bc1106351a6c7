import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newVoucher } from '../../support/cash.ts'
import { join, newCustomer, newEmail } from '../../support/customer.ts'
import { received } from '../../support/mails.ts'
import { confirmed, newPerson } from '../../support/members.ts'
import { call, type Environment, type Link, newApiKey, newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { adminSql, trigger } from '../../support/stack.ts'

interface Mail {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly dropped_for: string | null
}

const send = (
  { id }: Pick<Link, 'id'>,
  bearer: string,
  email: string,
  message = 'BBVA: entra a https://eve.example',
) =>
  call<{ id: string; error?: { code: string } }>('POST', `/v1/payment-links/${id}/send`, {
    bearer,
    body: { email, message },
  })
const mails = async (bearer: string, query = '') =>
  (await call<{ data: Mail[] }>('GET', `/v1/workspace/mails?limit=100${query}`, { bearer })).body.data

const counts = async (environment: Environment, tenantId: string, kind: string | null = null) =>
  Object.fromEntries(
    (
      await adminSql(environment)<{ what: string; count: number }>(
        `select coalesce(dropped_for, 'admitted') as what, count(*)::int from outgoing_mails
         where tenant_id = $1 and kind = coalesce($2, kind) group by 1`,
        [tenantId, kind],
      )
    ).map(({ what, count }) => [what, count]),
  )

/** A mail as a publish leaves it; `newOutgoing` of the sandbox. */
const outgoing = (environment: Environment, tenantId: string, to: string, kind: string) =>
  adminSql(environment)(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     values ($1, $2, $4, 'en', $3, '{"page": "/x"}', 'waiting', now() + interval '1 day', now(), now())`,
    [tenantId, randomUUID(), to, kind],
  )
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

/** Ten at a time: each answer is about the mail, whatever else the machine does. */
async function rounds<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const done: T[] = []
  while (done.length < count) done.push(...(await times(Math.min(10, count - done.length), work)))
  return done
}

test('an account without a confirmed address mails no stranger; with one a sandbox sends twenty a day', async () => {
  const founder = await newCustomer()
  const opened = await call<{ tenant_id: string }>('POST', '/v1/workspaces', {
    bearer: founder.token,
    body: { name: 'BBVA México' },
  })
  const { tenant_id: tenantId } = opened.body
  const workspace = { environment: 'sandbox', tenantId, ownerId: founder.userId } as const
  const { apiKey } = await newApiKey(workspace)
  const link = await newLink({ ...workspace, apiKey, keyId: '' })
  const refused = await rounds(200, () => send(link, apiKey, newEmail()))
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.error?.code}`))).toEqual(
    new Set(['422 email_not_confirmed']),
  )
  expect(await counts('sandbox', tenantId)).toEqual({})

  // A mail that a payment causes is held back, and the merchant sees why.
  const buyer = newEmail()
  await sendForm(link, { card_token: 'tok_sbx_approve', receipt_email: buyer })
  await trigger('sandbox')
  const held = () => mails(apiKey, '&status=dropped')
  await expect.poll(held).toMatchObject([{ kind: 'payment_receipt', dropped_for: 'email_not_confirmed' }])

  await confirmed(founder)
  const again = await newLink({ ...workspace, apiKey, keyId: '' })
  const thanks = () => send(again, apiKey, newEmail(), 'Gracias')
  const replies = [await thanks(), ...(await rounds(49, thanks))]
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await counts('sandbox', tenantId)).toEqual({
    admitted: 20,
    workspace_limit: 30,
    email_not_confirmed: 1,
  })
  const over = await mails(apiKey, '&dropped_for=workspace_limit')
  expect(over).toHaveLength(30)
  expect(replies.map(({ body }) => body.id)).toContain(over[0]!.id)
  const { body } = await call<Mail>('GET', `/v1/workspace/mails/${over[0]!.id}`, { bearer: apiKey })
  expect(body).toEqual(over[0])
  const foreign = await newMerchant()
  expect((await call('GET', `/v1/workspace/mails/${over[0]!.id}`, { bearer: foreign.apiKey })).status).toBe(
    404,
  )
})

test('workspaces of one owner share an allowance', async () => {
  const owner = await newPerson()
  const workspaces = await times(3, async () => {
    const merchant = await newMerchant()
    await join(owner, merchant)
    return merchant
  })
  for (const { tenantId } of workspaces)
    await times(25, () => outgoing('sandbox', tenantId, newEmail(), 'payment_link'))
  const found = await Promise.all(workspaces.map(({ tenantId }) => counts('sandbox', tenantId)))
  expect(found).toEqual([
    { admitted: 20, workspace_limit: 5 },
    { admitted: 20, workspace_limit: 5 },
    { account_limit: 25 },
  ])
  const held = await mails(workspaces[2]!.apiKey, '&dropped_for=account_limit')
  expect(held).toHaveLength(25)
})

test('vouchers typed with a person’s address spend nothing of their receipt, nor of another merchant’s mail', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const to = newEmail()
  await times(12, () => outgoing('sandbox', merchant.tenantId, to, 'payment_instructions'))
  expect(await counts('sandbox', merchant.tenantId)).toMatchObject({ recipient_limit: 2 })
  const link = await newLink(merchant)
  await sendForm(link, { card_token: 'tok_sbx_approve', receipt_email: to })
  expect((await send(await newLink(other), other.apiKey, to, 'Gracias')).status).toBe(200)
  await trigger('sandbox')
  const subjects = async () =>
    (await adminSql('sandbox')<Mail>(
      `select kind, status from outgoing_mails where tenant_id = any ($1) and kind in ('payment_receipt', 'payment_link') order by kind`,
      [[merchant.tenantId, other.tenantId]],
    )) as unknown
  await expect.poll(subjects).toEqual([
    { kind: 'payment_link', status: 'sent' },
    { kind: 'payment_receipt', status: 'sent' },
  ])
  await received(to, 2)
})

test('receipts spend nothing of the links that a merchant sends, nor links of receipts; each is held back with its reason', async () => {
  const merchant = await newMerchant()
  const { apiKey, tenantId } = merchant
  const [link, buyer] = [await newLink(merchant), newEmail()]
  const receipt = (to: string) => outgoing('sandbox', tenantId, to, 'payment_receipt')
  // One mailbox has its ten receipts of an hour, and the workspace more mails than the links that it may send in a day.
  await times(12, () => receipt(buyer))
  await times(20, () => receipt(newEmail()))
  await receipt('Ana <eve@example.com>')
  expect((await send(link, apiKey, buyer, 'Gracias')).status).toBe(200)
  await rounds(20, () => send(link, apiKey, newEmail(), 'Gracias'))
  await receipt(newEmail())
  expect(await counts('sandbox', tenantId, 'payment_receipt')).toEqual({
    admitted: 31,
    recipient_limit: 2,
    recipient_form: 1,
  })
  expect(await counts('sandbox', tenantId, 'payment_link')).toEqual({ admitted: 20, workspace_limit: 1 })
  const held = (await mails(apiKey, '&status=dropped')).map((one) => `${one.kind} ${one.dropped_for}`)
  expect(held.sort()).toEqual([
    'payment_link workspace_limit',
    'payment_receipt recipient_form',
    'payment_receipt recipient_limit',
    'payment_receipt recipient_limit',
  ])
  const ofMailbox = await mails(apiKey, '&dropped_for=recipient_limit')
  expect(ofMailbox.map(({ kind, status }) => [kind, status])).toEqual(
    Array(2).fill(['payment_receipt', 'dropped']),
  )
})

test.each([
  ['what follows a plus', (at: number) => `+${at}@example.org`, (name: string) => name],
  [
    'dots at Gmail',
    () => '@gmail.com',
    (name: string, at: number) => `${name.slice(0, at + 1)}.${name.slice(at + 1)}`,
  ],
  [
    'another name of Gmail',
    (at: number) => (at % 2 ? '@GoogleMail.com' : '@gmail.com'),
    (name: string) => name,
  ],
] as const)('%s makes no other mailbox: ten of fifty at once', async (_, after, before) => {
  const { tenantId } = await newMerchant()
  const name =
    randomUUID()
      .replace(/[^a-f]/g, '')
      .padEnd(12, 'x') + randomUUID().replace(/[\d-]/g, '')
  const person = `${name}${'y'.repeat(50)}`.slice(0, 52)
  await times(50, (at) => outgoing('sandbox', tenantId, `${before(person, at)}${after(at)}`, 'payment_link'))
  const { admitted } = await counts('sandbox', tenantId)
  expect(admitted).toBe(10)
})

test('unreviewed workspaces of live spend nothing of what a reviewed one may send', async () => {
  const to = newEmail()
  const live = { environment: 'live' } as const
  const reviewed = await newMerchant(live)
  for (let at = 0; at < 4; at++) {
    const pending = await newMerchant(live)
    await adminSql('live')(`update tenants set status = 'pending' where tenant_id = $1`, [pending.tenantId])
    await times(15, () => outgoing('live', pending.tenantId, to, 'workspace_invitation'))
  }
  await outgoing('live', reviewed.tenantId, to, 'workspace_invitation')
  expect(await counts('live', reviewed.tenantId)).toEqual({ admitted: 1 })
})

test('vouchers of one network cause sixty mails an hour', async () => {
  const merchant = await newMerchant()
  await newVoucher(merchant)
  const [payment] = await adminSql('sandbox')<{ id: string }>(
    'select id from payments where tenant_id = $1',
    [merchant.tenantId],
  )
  const network = `network of ${merchant.tenantId}`
  await adminSql('sandbox')('update payment_attempts set network_digest = $2 where tenant_id = $1', [
    merchant.tenantId,
    network,
  ])
  for (let at = 0; at < 65; at++)
    await adminSql('sandbox')(
      `with asked as (
         insert into payment_contacts (tenant_id, id, payment_id, email, locale, page, created_at, updated_at)
         values ($1, $2, $3, $4, 'en', '/splink_' || repeat('a', 32) || '/spcs_' || repeat('a', 32), clock_timestamp(), now())
         returning tenant_id, payment_id)
       select from asked`,
      [merchant.tenantId, randomUUID(), payment!.id, newEmail()],
    ).then(() =>
      adminSql('sandbox')(
        `insert into outgoing_mails (tenant_id, id, kind, payment_id, locale, data, status, next_check_at, created_at, updated_at)
         values ($1, $2, 'payment_reminder', $3, 'en', '{}', 'waiting', now() + interval '1 day', now(), now())`,
        [merchant.tenantId, randomUUID(), payment!.id],
      ),
    )
  expect(await counts('sandbox', merchant.tenantId, 'payment_reminder')).toEqual({
    admitted: 60,
    network_limit: 5,
  })
  expect(await mails(merchant.apiKey, '&dropped_for=network_limit')).toHaveLength(5)
})
