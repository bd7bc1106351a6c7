import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { join, newCustomer } from '../../support/customer.ts'
import { issueKey, moveKey, newKeeper, proveMove, revokeKey } from '../../support/keys.ts'
import { received } from '../../support/mails.ts'
import { accept, addInvitation, memberIdOf, newPerson, remove, workspaceOf } from '../../support/members.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const confirm = (...userIds: string[]) =>
  adminSql('identity')('update users set email_verified = true where id = any ($1)', [userIds])

const statusesOf = (tenantId: string) =>
  adminSql('sandbox')('select distinct status, data from mail_notices where tenant_id = $1', [tenantId])

test('keys that are made, rotated and revoked are mailed to the owners with a confirmed address', async () => {
  const [keeper, other, unconfirmed, admin] = await Promise.all([
    newKeeper(),
    newCustomer({ factor: false }),
    newCustomer({ factor: false }),
    newCustomer({ factor: false }),
  ])
  await Promise.all([join(other, keeper), join(unconfirmed, keeper), join(admin, keeper, 'admin')])
  await confirm(keeper.userId, other.userId, admin.userId)
  const { id, apiKey } = await issueKey(keeper)
  const key = randomUUID()
  const rotated = await moveKey(keeper, 'rotate', id, key, await proveMove(keeper, 'rotate', id, key))
  expect(rotated.status).toBe(200)
  expect(await revokeKey(keeper, id)).toBe(200)
  for (const owner of [keeper, other]) {
    const mails = (await received(owner.email, 4)).filter(({ key }) => key.includes('.'))
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Se creó una clave de API',
      'Se creó una clave de API',
      'Se revocó una clave de API',
    ])
    for (const { text, to } of mails) {
      expect(to).toBe(owner.email)
      expect(text).toContain('Negocio: Café Azul')
      expect(text).toContain('Descripción: Storefront')
      expect(text).toContain(`ada por: ${keeper.email}`)
      expect(text).not.toContain(apiKey)
    }
  }
  await expect.poll(() => statusesOf(keeper.tenantId)).toEqual([{ status: 'handed_over', data: {} }])
  for (const { email } of [unconfirmed, admin]) expect(await mailsTo(stack.mailboxUrl, email)).toHaveLength(1)
})

const addNotice = (tenantId: string, kind: string, data: object) =>
  adminSql('sandbox')(
    `insert into mail_notices (tenant_id, id, kind, data, status, created_at, updated_at)
     values ($1, $2, $3, $4, 'waiting', now(), now())`,
    [tenantId, randomUUID(), kind, data],
  )

test('payouts and webhooks are mailed to owners and admins, members to the owners alone; each once', async () => {
  const [owner, admin, member] = await Promise.all([newPerson(), newPerson(), newPerson()])
  const workspace = await workspaceOf([owner, admin], ['owner', 'admin'])
  const id = await addInvitation(workspace, { email: member.email })
  expect((await accept(member, id)).status).toBe(200)
  expect((await remove(owner, workspace, await memberIdOf(member, workspace))).status).toBe(200)
  const at = '2026-06-20T18:30:00.000Z'
  const payout = { amount: '120000', currency: 'mxn', account: '···9719', failure: 'account_closed', at }
  await addNotice(workspace.tenantId, 'payout_failed', payout)
  await addNotice(workspace.tenantId, 'webhook_endpoint_disabled', {
    url: 'https://a.example',
    reason: 'gone',
  })
  await trigger('sandbox')
  await trigger('sandbox')
  const both = ['Se desactivó un endpoint de webhooks', 'Un depósito a tu cuenta falló']
  const team = ['Una persona dejó tu negocio', 'Una persona se unió a tu negocio']
  for (const [{ email }, wanted] of [
    [owner, [...both, ...team]],
    [admin, both],
    [member, []],
  ] as const) {
    const subjects = async () =>
      (await mailsTo(stack.mailboxUrl, email))
        .filter(({ key }) => key.includes('.'))
        .map(({ subject }) => subject)
        .sort()
    await expect.poll(subjects).toEqual(wanted)
  }
  const mails = await mailsTo(stack.mailboxUrl, owner.email)
  const textOf = (subject: string) => mails.find((mail) => mail.subject === subject)!.text
  expect(textOf(both[1]!)).toContain(
    'Monto: $1,200.00 MXN\nCLABE: ···9719\nMotivo: La cuenta está cerrada.\n',
  )
  expect(textOf(both[1]!)).toContain('20 de junio de 2026')
  expect(textOf(team[1]!)).toContain(`Persona: ${member.email}\nRol: Miembro\n`)
  expect(textOf(team[0]!)).toContain(`Decidido por: ${owner.email}`)

  // A Worker died before it recorded that it had handed the notice over: its mails stay as they are.
  const [notice] = await adminSql('sandbox')<{ id: string }>(
    `update mail_notices set status = 'waiting', data = $2 where tenant_id = $1 and kind = 'payout_failed' returning id`,
    [workspace.tenantId, payout],
  )
  const sent = () =>
    adminSql('identity')('select id, status, updated_at from mails where id like $1 order by id', [
      `${notice!.id}.%`,
    ])
  const before = await sent()
  expect(before).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  const statusNow = async () =>
    (await adminSql('sandbox')('select status from mail_notices where id = $1', [notice!.id]))[0]
  await trigger('sandbox')
  await expect.poll(statusNow).toEqual({ status: 'handed_over' })
  expect(await sent()).toEqual(before)
})
