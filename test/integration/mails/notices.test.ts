import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import { join, newCustomer } from '../../support/customer.ts'
import { issueKey, moveKey, newKeeper, proveMove, revokeKey } from '../../support/keys.ts'
import { received } from '../../support/mails.ts'
import { adminSql, stack } from '../../support/stack.ts'

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
