import { beforeAll, expect, test } from 'vitest'
import { type Customer, newCustomer, newEmail } from '../../support/customer.ts'
import { linkIn, received } from '../../support/mails.ts'
import {
  accept,
  addInvitation,
  confirmed,
  decide,
  invite,
  memberIdOf,
  membersOf,
  newPerson,
  type Role,
  remove,
  tokenOf,
  workspaceOf,
} from '../../support/members.ts'
import { call } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

let owner: Customer
let person: Customer
beforeAll(async () => {
  owner = await newPerson()
  person = await newPerson()
})
const newWorkspace = () => workspaceOf([owner], ['owner'])

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error?.code ?? status

const change = (by: Customer, workspace: { tenantId: string }, id: string, what: 'revoke' | 'resend') =>
  decide(by, { ...workspace, environment: 'sandbox' }, { path: `/v1/workspace/invitations/${id}/${what}` })

const pageOf = async (id: string) =>
  fetch(`${stack.sandbox.directUrl}/account/invitation/${await tokenOf(id)}`)

test('an invitation is mailed, its page describes it, and accepting it makes a member', async () => {
  const workspace = await newWorkspace()
  const invited = await newPerson()
  const { status, body } = await invite(owner, workspace, invited.email.toUpperCase(), 'admin')
  expect([status, body.email, body.status]).toEqual([201, invited.email, 'pending'])
  const mail = (await received(invited.email, 2))[0]!
  expect(mail.subject).toBe('Te invitaron a un negocio')
  for (const text of ['Negocio: Café Azul', 'Rol: Administrador', `Te invitó: ${owner.email}`])
    expect(mail.text).toContain(text)
  const path = linkIn(mail)
  const page = await fetch(stack.sandbox.directUrl + path, { headers: { 'accept-language': 'en' } })
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const shown = await page.text()
  for (const text of ['Café Azul', 'Administrator', owner.email, path.split('/').at(-1)!])
    expect(shown).toContain(text)
  expect((await fetch(stack.sandbox.directUrl + path, { method: 'POST' })).status).toBe(405)
  expect(await membersOf(workspace.tenantId)).toHaveLength(1)

  const id = String(body.id)
  const token = path.split('/').at(-1)!
  const joined = await accept(invited, id, undefined, token)
  expect([joined.status, joined.body]).toMatchObject([
    200,
    { role: 'admin', status: 'active', tenant_id: workspace.tenantId, user_id: invited.userId },
  ])
  expect(codeOf(await accept(invited, id))).toBe('invitation_already_accepted')
  expect(await (await fetch(stack.sandbox.directUrl + path)).text()).toContain('Invitación aceptada')
  const events = await sql<{ type: string; text: string }>(
    'select type, e::text as text from events e where tenant_id = $1 order by type',
    [workspace.tenantId],
  )
  expect(events.map(({ type }) => type)).toEqual([
    'invitation.accepted',
    'invitation.created',
    'member.joined',
  ])
  for (const { text } of events) expect(text).not.toContain('@')
})

test('to another person it is missing, word for word; a token that was changed opens nothing', async () => {
  const workspace = await newWorkspace()
  const id = await addInvitation(workspace, { email: newEmail() })
  const missing = await accept(person, '0190a6d2-7c3e-7b1a-9f00-000000000001')
  const foreign = await accept(person, id)
  const own = await addInvitation(workspace, { email: person.email })
  const token = await tokenOf(own)
  const changed = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
  const wrong = [
    foreign,
    await accept(person, own, undefined, changed),
    await accept(person, id, undefined, token),
  ]
  const without = ({ text }: { text: string }) => text.replace(/req_\w+/, '')
  for (const reply of wrong) expect([reply.status, without(reply)]).toEqual([404, without(missing)])
  for (const link of [changed, 'garbage'])
    expect((await fetch(`${stack.sandbox.directUrl}/account/invitation/${link}`)).status).toBe(410)
})

test.each([
  { state: 'revoked', set: `status = 'revoked'`, code: 'invitation_revoked' },
  { state: 'expired', set: `status = 'expired'`, code: 'invitation_expired' },
  { state: 'too old', set: `expires_at = now()`, code: 'invitation_expired' },
])('$state: $code, and its page says so', async ({ set, code }) => {
  const workspace = await newWorkspace()
  const id = await addInvitation(workspace, { email: person.email })
  await sql(`update workspace_invitations set ${set} where id = $1`, [id])
  expect(codeOf(await accept(person, id))).toBe(code)
  const page = await fetch(`${stack.sandbox.directUrl}/account/invitation/${await tokenOf(id)}`)
  expect(page.status).toBe(410)
  for (const what of ['revoke', 'resend'] as const)
    expect(codeOf(await change(owner, workspace, id, what))).toBe('invitation_not_pending')
})

test('it takes a confirmed address, and a second factor that was shown within ten minutes', async () => {
  const workspace = await newWorkspace()
  const invited = await newCustomer()
  const id = await addInvitation(workspace, { email: invited.email })
  expect(codeOf(await accept(invited, id))).toBe('email_not_confirmed')
  expect(codeOf(await invite(invited, await workspaceOf([invited], ['owner']), newEmail()))).toBe(
    'email_not_confirmed',
  )
  await confirmed(invited)
  await adminSql('identity')(
    `update sessions set factor_verified_at = now() - interval '10 minutes' where user_id = $1`,
    [invited.userId],
  )
  expect(codeOf(await accept(invited, id))).toBe('second_factor_needed')
  await confirmed(invited)
  expect(codeOf(await accept(invited, id))).toBe(200)
})

test.each<{ by: Role; role: Role; result: 201 | string }>([
  { by: 'owner', role: 'owner', result: 201 },
  { by: 'admin', role: 'admin', result: 201 },
  { by: 'admin', role: 'owner', result: 'insufficient_role' },
  { by: 'member', role: 'member', result: 'insufficient_role' },
])('$by invites $role: $result', async ({ by, role, result }) => {
  const workspace = await workspaceOf([owner, person], ['owner', by])
  expect(codeOf(await invite(person, workspace, newEmail(), role))).toBe(result)
})

test('a member is not invited, an address once at a time, and a workspace has fifty pending', async () => {
  const workspace = await workspaceOf([owner, person], ['owner', 'member'])
  expect(codeOf(await invite(owner, workspace, person.email))).toBe('already_member')
  const email = newEmail()
  const first = await invite(owner, workspace, email)
  expect(codeOf(await invite(owner, workspace, email.toUpperCase(), 'admin'))).toBe('invitation_exists')
  expect((await change(owner, workspace, String(first.body.id), 'revoke')).body.status).toBe('revoked')
  expect(codeOf(await invite(owner, workspace, email, 'admin'))).toBe(201)
  for (let at = 1; at < 50; at++) await addInvitation(workspace)
  expect(codeOf(await invite(owner, workspace, newEmail()))).toBe('invitation_limit_reached')
})

test('it is sent again at most five times in all, with the same link', async () => {
  const workspace = await newWorkspace()
  const email = newEmail()
  const { body } = await invite(owner, workspace, email)
  const id = String(body.id)
  for (let sends = 2; sends <= 5; sends++)
    expect((await change(owner, workspace, id, 'resend')).body.sends_count).toBe(sends)
  expect(codeOf(await change(owner, workspace, id, 'resend'))).toBe('invitation_sent_too_often')
  const links = (await received(email, 5)).map(linkIn)
  expect(new Set(links)).toEqual(new Set([`/account/invitation/${await tokenOf(id)}`]))
})

test('the invitations of a removed member no longer work; who was removed joins again by another', async () => {
  const workspace = await workspaceOf([owner, person], ['owner', 'admin'])
  const invited = await newPerson()
  const { body } = await invite(person, workspace, invited.email)
  const id = await memberIdOf(person, workspace)
  expect((await remove(owner, workspace, id)).status).toBe(200)
  expect(codeOf(await accept(invited, String(body.id)))).toBe('invitation_revoked')
  expect((await pageOf(String(body.id))).status).toBe(410)
  expect(codeOf(await change(owner, workspace, String(body.id), 'resend'))).toBe('invitation_not_pending')
  expect(codeOf(await change(owner, workspace, String(body.id), 'revoke'))).toBe(200)
  expect((await invite(owner, workspace, invited.email)).status).toBe(201)
  const again = await addInvitation(workspace, { email: person.email, role: 'owner' })
  expect((await accept(person, again)).body).toMatchObject({ id, role: 'owner', status: 'active' })
  expect(await membersOf(workspace.tenantId)).toHaveLength(2)
})

test('it expires after seven days, and thirty days later its address is forgotten', async () => {
  const workspace = await newWorkspace()
  const [due, old] = [await addInvitation(workspace), await addInvitation(workspace)]
  await sql(
    `update workspace_invitations set expires_at = now() - interval '1 second', updated_at = now() where id = $1`,
    [due],
  )
  await sql(
    `update workspace_invitations set status = 'revoked', updated_at = now() - interval '31 days' where id = $1`,
    [old],
  )
  await trigger('sandbox')
  const rows = () =>
    sql(
      'select id, status, email is null as forgotten from workspace_invitations where tenant_id = $1 order by status',
      [workspace.tenantId],
    )
  await expect.poll(rows).toEqual([
    { id: due, status: 'expired', forgotten: false },
    { id: old, status: 'revoked', forgotten: true },
  ])
  expect(
    await sql(`select type from events where tenant_id = $1 and resource_id = $2`, [workspace.tenantId, due]),
  ).toEqual([{ type: 'invitation.expired' }])
})

/** A form of an invitation's page, as a browser posts it. */
async function post(id: string, step: string, fields: Record<string, string>, headers = {}) {
  const reply = await fetch(`${stack.sandbox.directUrl}/account/invitation/${await tokenOf(id)}${step}`, {
    method: 'POST',
    headers: { 'accept-language': 'en', ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

const hiddenIn = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

test('a person with an account signs in on the page, with a code or a backup code, and accepts', async () => {
  const workspace = await newWorkspace()
  const invited = await newPerson()
  const id = await addInvitation(workspace, { email: invited.email, role: 'admin' })
  const { password, backupCodes } = invited
  const asked = await post(id, '/sign-in', { password })
  expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []])
  const ceremony = hiddenIn(asked.text, 'ceremony')
  const wrong = await post(id, '/code', { ceremony, code: 'aaaaa-aaaaa' })
  expect([wrong.status, hiddenIn(wrong.text, 'ceremony')]).toEqual([422, ceremony])
  const shown = await post(id, '/code', { ceremony, code: backupCodes[0]! })
  const bearer = hiddenIn(shown.text, 'bearer')
  expect(shown.text).toContain('Join Café Azul?')
  // No cookie holds the session, and no other site's page sends the form.
  expect(shown.headers.getSetCookie()).toEqual([])
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await post(id, '/accept', { bearer }, headers)).status).toBe(403)
  expect(await membersOf(workspace.tenantId)).toHaveLength(1)

  const other = await addInvitation(await newWorkspace(), { email: person.email })
  expect((await post(other, '/accept', { bearer })).status).toBe(422)
  const [first, second] = [await post(id, '/accept', { bearer }), await post(id, '/accept', { bearer })]
  for (const reply of [first, second]) {
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('Invitation accepted')
  }
  // The mails of this account lead back to no invitation from now on.
  expect(first!.headers.getSetCookie()).toEqual([expect.stringMatching(/^spindle_invitation=; Max-Age=0/)])
  expect(await memberIdOf(invited, workspace)).toBeTruthy()
})

test.each([
  { step: '/code', fields: { ceremony: 'garbage', code: '123456' } },
  { step: '/code', fields: { bearer: 'garbage', uri: 'javascript:alert(1)', codes: '', code: '123456' } },
  { step: '/accept', fields: { bearer: 'garbage' } },
  { step: '/accept', fields: {} },
])('a form that was made up begins again with the sign-in: $step $fields', async ({ step, fields }) => {
  const id = await addInvitation(await newWorkspace(), { email: person.email })
  const reply = await post(id, step, fields as Record<string, string>)
  expect([reply.status, reply.text.includes('That took too long')]).toEqual([422, true])
  expect(reply.text).not.toContain('javascript:')
})

test('a session that showed its factor long ago, or not at all, accepts nothing', async () => {
  const workspace = await newWorkspace()
  const invited = await newPerson()
  const id = await addInvitation(workspace, { email: invited.email })
  await adminSql('identity')(
    `update sessions set factor_verified_at = now() - interval '10 minutes' where user_id = $1`,
    [invited.userId],
  )
  expect((await post(id, '/accept', { bearer: invited.token })).text).toContain('That took too long')
  expect(await membersOf(workspace.tenantId)).toHaveLength(1)
})

test('an account with an unconfirmed address is asked to confirm it, and its session ends', async () => {
  const invited = await newCustomer({ factor: false })
  const id = await addInvitation(await newWorkspace(), { email: invited.email })
  const reply = await post(id, '/sign-in', { password: invited.password })
  expect([reply.status, reply.text.includes('Confirm your address')]).toEqual([200, true])
  expect(reply.headers.getSetCookie().map((each) => each.split('=')[0])).toEqual(['spindle_invitation'])
})

test('guesses of a password on the page count like those of the interface', async () => {
  const invited = await newPerson()
  const id = await addInvitation(await newWorkspace(), { email: invited.email })
  const network = { 'cf-connecting-ip': '203.0.113.77' }
  const statuses: number[] = []
  for (let tries = 0; tries < 11; tries++)
    statuses.push((await post(id, '/sign-in', { password: `wrong horse ${tries}` }, network)).status)
  expect([...new Set(statuses.slice(0, 10)), statuses[10]]).toEqual([422, 429])
  const json = await call<{ error: { code: string } }>('POST', '/v1/auth/sign-in/email', {
    headers: network,
    body: { email: invited.email, password: invited.password },
  })
  expect([json.status, json.body.error.code]).toEqual([429, 'rate_limited'])
})
