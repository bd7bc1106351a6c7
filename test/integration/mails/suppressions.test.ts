import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MAIL_WEBHOOK_SECRET, mailsTo } from '../../../local/mailbox.ts'
import { importSecret, signatureOf } from '../../../src/platform/standard-webhooks.ts'
import { newCustomer, newEmail } from '../../support/customer.ts'
import { linkIn, newOutgoing, outgoingOf, received, report } from '../../support/mails.ts'
import { confirmed, decide, workspaceOf } from '../../support/members.ts'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

type Workspace = Awaited<ReturnType<typeof newMerchant>>
type Kind = 'workspace_invitation' | 'payment_receipt' | 'payment_reminder'

/** Mails of these kinds to an address, swept; how each ended. */
async function mail({ tenantId }: Workspace, to: string, ...kinds: Kind[]) {
  const ids = kinds.map(() => randomUUID())
  for (const [at, id] of ids.entries()) await newOutgoing(tenantId, id, to, 0, kinds[at])
  const ends = () =>
    Promise.all(
      ids.map(async (id) => {
        const [row] = await adminSql('sandbox')<{ status: string; suppressed_for: string | null }>(
          'select status, suppressed_for from outgoing_mails where id = $1',
          [id],
        )
        return row!.suppressed_for ?? row!.status
      }),
    )
  await expect.poll(() => trigger('sandbox').then(ends)).not.toContain('waiting')
  return ends()
}

const listed = async ({ apiKey: bearer }: Workspace, query = '') =>
  (
    await call<{ data: { id: string; reason: string; status: string }[] }>(
      'GET',
      `/v1/workspace/mail-suppressions${query}`,
      { bearer },
    )
  ).body.data

test('an address that bounced is no longer mailed by this workspace, until an admin lifts it', async () => {
  const admin = await newCustomer()
  const [workspace, other] = [await workspaceOf([admin], ['admin']), await newMerchant()]
  const to = newEmail()
  expect(await mail(workspace, to, 'payment_receipt')).toEqual(['sent'])
  expect(await mail(other, to, 'payment_receipt')).toEqual(['sent'])
  const [, mine] = await received(to, 2)
  expect(await report(mine!, 'bounced_softly')).toEqual([200, 200])
  expect(await listed(workspace)).toEqual([])
  expect(await report(mine!, 'delivered')).toEqual([200, 200])
  expect(await report(mine!, 'bounced')).toEqual([200, 200])
  const [suppression, ...more] = await listed(workspace, '?status=active&reason=hard_bounce')
  expect([suppression, more]).toMatchObject([
    { reason: 'hard_bounce', status: 'active', mail_kind: 'payment_receipt', email_hint: null },
    [],
  ])
  expect(JSON.stringify(suppression)).not.toContain('digest')
  expect(await mail(workspace, to, 'payment_receipt', 'workspace_invitation')).toEqual([
    'hard_bounce',
    'hard_bounce',
  ])
  // Another workspace learns nothing of it.
  expect(await mail(other, to, 'payment_receipt')).toEqual(['sent'])
  expect(await listed(other)).toEqual([])
  const lift = () =>
    decide(admin, workspace, { path: `/v1/workspace/mail-suppressions/${suppression!.id}/lift` })
  expect((await lift()).body).toMatchObject({ id: suppression!.id, status: 'lifted' })
  expect((await lift()).body.error).toMatchObject({ code: 'mail_suppression_stays' })
  // The same report again does not undo it.
  expect(await report(mine!, 'bounced')).toEqual([200, 200])
  expect(await mail(workspace, to, 'payment_receipt')).toEqual(['sent'])
})

test('the hint is of the address that bounced: none where that is not the buyer’s', async () => {
  const workspace = await newMerchant()
  const { apiKey: bearer, tenantId } = workspace
  const [buyer, other] = [newEmail(), newEmail().replace('ana', 'zoe')]
  const link = await newLink(workspace)
  await sendForm(link, { card_token: 'tok_sbx_approve', receipt_email: buyer })
  const [payment] = await adminSql('sandbox')<{ id: string }>(
    'select id from payments where tenant_id = $1',
    [tenantId],
  )
  const body = { email: other }
  await call('POST', `/v1/payments/${payment!.id}/send-receipt`, { bearer, body })
  await trigger('sandbox')
  const hints = async () => {
    const { body } = await call<{ data: { email_hint: string | null; payment_id: string }[] }>(
      'GET',
      '/v1/workspace/mail-suppressions',
      { bearer },
    )
    return body.data.map(({ email_hint, payment_id }) => [email_hint, payment_id])
  }
  await report((await received(other))[0]!, 'bounced')
  expect(await hints()).toEqual([[null, payment!.id]])
  await report((await received(buyer))[0]!, 'bounced')
  expect(await hints()).toEqual([
    ['a···@example.com', payment!.id],
    [null, payment!.id],
  ])
})

test('after a complaint nothing is sent, and no member lifts it', async () => {
  const admin = await newCustomer()
  const workspace = await workspaceOf([admin], ['admin'])
  const to = newEmail()
  await mail(workspace, to, 'payment_receipt')
  await report((await received(to))[0]!, 'complained')
  expect(await mail(workspace, to, 'payment_receipt', 'payment_reminder')).toEqual(['complaint', 'complaint'])
  const [{ id } = { id: '' }] = await listed(workspace)
  const lifted = await decide(admin, workspace, { path: `/v1/workspace/mail-suppressions/${id}/lift` })
  expect([lifted.status, lifted.body.error]).toMatchObject([409, { code: 'mail_suppression_stays' }])
})

test('a reminder has a link and a header that end reminders of this merchant, and nothing else has', async () => {
  const workspace = await newMerchant({ name: 'Café Azul' })
  const [to, clicked] = [newEmail(), newEmail()]
  for (const each of [to, clicked]) await mail(workspace, each, 'payment_receipt', 'payment_reminder')
  // One sweep sends both, in either order.
  const mails = await received(to, 2)
  const reminder = mails.find(({ headers }) => 'List-Unsubscribe' in headers)
  const receipt = mails.find((each) => each !== reminder)
  expect([receipt!.headers, receipt!.text.includes('/reminders/')]).toEqual([{}, false])
  const [, link = ''] = /<(.*)>/.exec(reminder!.headers['List-Unsubscribe'] ?? '') ?? []
  expect(reminder!.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(reminder!.text).toContain(`Get no more reminders of this merchant:\n${link}\n`)
  const { pathname, search } = new URL(link)
  const url = stack.sandbox.directUrl + pathname + search
  // Programs that check mails open links: that changes nothing.
  const opened = await fetch(url)
  expect([opened.status, (await opened.text()).includes('Café Azul')]).toEqual([200, true])
  expect(await listed(workspace)).toEqual([])
  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  for (const _ of [1, 2]) expect((await fetch(url, { method: 'POST', body: oneClick })).status).toBe(200)
  expect(await listed(workspace)).toMatchObject([{ reason: 'unsubscribed', mail_kind: 'payment_reminder' }])
  expect(await mail(workspace, to, 'payment_receipt', 'payment_reminder')).toEqual(['sent', 'unsubscribed'])
  expect(await mail(workspace, clicked, 'payment_reminder')).toEqual(['sent'])
  expect(await mail(await newMerchant(), to, 'payment_reminder')).toEqual(['sent'])

  const gone = 'delete from outgoing_mails where id = $1'
  const last = url.replace(/.(?=\?)/, (digit) => (digit === '0' ? '1' : '0'))
  await adminSql('sandbox')(gone, [/reminders\/(.{36})/.exec(url)![1]])
  for (const broken of [url, last, url.replace(/..(?=\?)/, '')])
    for (const method of ['GET', 'POST']) {
      const reply = await fetch(broken, { method, ...(method === 'POST' && { body: oneClick }) })
      expect([reply.status, (await reply.text()).includes('does not work any more')]).toEqual([410, true])
    }
})

test('the page that ends reminders looks like the merchant and speaks the language of the mail', async () => {
  const workspace = await newMerchant({ name: 'Café Azul' })
  const body = { brand_name: 'Azul', primary_color: '#1d4ed8' }
  expect((await call('PATCH', '/v1/workspace/branding', { bearer: workspace.apiKey, body })).status).toBe(200)
  const to = newEmail()
  await mail(workspace, to, 'payment_reminder')
  const [reminder] = await received(to)
  const [, link = ''] = /<(.*)>/.exec(reminder!.headers['List-Unsubscribe'] ?? '') ?? []
  const { pathname } = new URL(link)
  const form = (locale: string) => ({ method: 'POST', body: new URLSearchParams({ locale }) })
  const cases: [query: string, init: RequestInit, language: string][] = [
    ['', { headers: { 'accept-language': 'es-MX' } }, 'en'],
    ['?lang=es', {}, 'es-MX'],
    ['', form('es-MX'), 'es-MX'],
    ['', form(''), 'en'],
  ]
  for (const [query, init, language] of cases) {
    const reply = await fetch(stack.sandbox.directUrl + pathname + query, init)
    const html = await reply.text()
    expect([reply.status, html.includes(`<html lang="${language}">`)]).toEqual([200, true])
    expect(html).toMatch(/<span class="mark">.*<bdi>Azul<\/bdi><\/span>/)
    const [, css = ''] = /<style>(.*?)<\/style>/.exec(html) ?? []
    expect(css).toContain('--button:#1d4ed8')
    expect(reply.headers.get('content-security-policy')).toContain(
      `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    )
  }
})

test('an account whose mail bounced is mailed what it asks for, until its address is confirmed again', async () => {
  const [person, angry] = await Promise.all([newCustomer().then(confirmed), newCustomer().then(confirmed)])
  const workspace = await workspaceOf([person, angry], ['owner', 'owner'])
  const notice = (kind: string) =>
    adminSql('sandbox')(
      `insert into mail_notices (tenant_id, id, kind, data, status, created_at, updated_at)
       values ($1, $2, $3, '{}', 'waiting', now(), now())`,
      [workspace.tenantId, randomUUID(), kind],
    )
  const ask = (path: string) => call('POST', `/v1/auth/${path}`, { body: { email: person.email } })
  await report((await received(person.email))[0]!, 'bounced')
  await report((await received(angry.email))[0]!, 'complained')
  await notice('payout_failed')
  await notice('api_key_created')
  await trigger('sandbox')
  // The complaint leaves what is about safety.
  const [safety] = await received(angry.email, 2)
  expect(safety!.subject).toBe('Se creó una clave de API')
  await ask('send-verification-email')
  const [confirm] = await received(person.email, 2)
  const form = new URLSearchParams({ locale: 'en' })
  const done = await fetch(stack.sandbox.directUrl + linkIn(confirm!), { method: 'POST', body: form })
  expect(done.status).toBe(200)
  await notice('payout_failed')
  await trigger('sandbox')
  expect((await received(person.email, 3))[0]!.subject).toBe('Un depósito a tu cuenta falló')
  expect(await mailsTo(stack.mailboxUrl, angry.email)).toHaveLength(2)
  const counts = await adminSql('identity')(
    `select status, count(*)::int from mails where user_id = any ($1) group by 1 order by 1`,
    [[person.userId, angry.userId]],
  )
  expect(counts).toEqual([
    { status: 'sent', count: 5 },
    { status: 'suppressed', count: 4 },
  ])
})

const now = () => Math.trunc(Date.now() / 1_000)
const forged: { what: string; headers?: Record<string, string>; said?: string }[] = [
  { what: 'without a signature', headers: { 'svix-signature': '' } },
  { what: 'with another body', said: 'email.complained' },
  { what: 'with another id', headers: { 'svix-id': 'msg_other' } },
  { what: 'dated again', headers: { 'svix-timestamp': String(now() - 1) } },
]
test.each(forged)('a report $what is refused, in both environments', async ({ headers: other, said }) => {
  const { tenantId } = await newMerchant()
  const [to, id] = [newEmail(), randomUUID()]
  await newOutgoing(tenantId, id, to)
  const tags = [{ name: 'mail', value: id }]
  const body = JSON.stringify({ type: 'email.bounced', data: { bounce: { type: 'Permanent' }, tags } })
  const message = { id: 'msg_one', timestamp: now(), body }
  const headers = {
    'svix-id': message.id,
    'svix-timestamp': String(message.timestamp),
    'svix-signature': await signatureOf(await importSecret(MAIL_WEBHOOK_SECRET), message),
    ...other,
  }
  const sent = { method: 'POST', headers, body: body.replace('email.bounced', said ?? 'email.bounced') }
  for (const { directUrl } of [stack.sandbox, stack.live]) {
    const reply = await fetch(`${directUrl}/v1/mails/reports`, sent)
    const { error } = (await reply.json()) as { error: { code: string } }
    expect([reply.status, error.code]).toEqual([400, 'notification_signature_invalid'])
  }
  await trigger('sandbox')
  await expect.poll(() => outgoingOf(id)).toMatchObject({ status: 'sent' })
})
