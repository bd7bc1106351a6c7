import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules, survivors } from '../support/books.ts'
import { newEmail } from '../support/customer.ts'
import { asked, newCustomer } from '../support/customers.ts'
import { beforeAndAfter, dies } from '../support/drills.ts'
import { png } from '../support/images.ts'
import { received } from '../support/mails.ts'
import { accept, addInvitation, decide, membersOf, newPerson, workspaceOf } from '../support/members.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { adminSql, stack, trigger } from '../support/stack.ts'

const sql = adminSql('sandbox')
const publish = { contains: 'door.publish' }
const once = beforeAndAfter.map((how) => ({ ...publish, ...how }))

test('the Worker is killed while it stores a logo: sent again, buyers see it, and no other file stays', async () => {
  const cases = [0, 1].flatMap((skip) => once.map((strike) => ({ ...strike, skip })))
  await survivors('Worker killed over a logo', cases, async (strike) => {
    const merchant = await newMerchant()
    const put = () =>
      call<{ logo: { url: string } | null }>('PUT', '/v1/workspace/branding/logo', {
        bearer: merchant.apiKey,
        headers: { 'idempotency-key': 'the-logo-of-this-drill' },
        body: { content: png(64, 64).toString('base64') },
      })
    await dies(strike, put)
    const again = await put()
    expect(again.status, again.text).toBe(200)
    const { pathname } = new URL(again.body.logo!.url)
    expect((await fetch(stack.sandbox.directUrl + pathname)).status).toBe(200)

    await sql(
      `update logos set remove_at = now() - interval '1 second' where tenant_id = $1 and remove_at is not null`,
      [merchant.tenantId],
    )
    const left = () =>
      sql<{ address: string }>(`select address from logos where tenant_id = $1 and status <> 'removed'`, [
        merchant.tenantId,
      ])
    await expect
      .poll(
        async () => {
          // A removal that failed waits for a minute or more: those pass.
          await sql('delete from due_failures where tenant_id = $1', [merchant.tenantId])
          await trigger('sandbox')
          return left()
        },
        { timeout: 60_000 },
      )
      .toEqual([{ address: pathname.split('/').at(-1) }])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while an owner invites: one invitation, one mail', async () => {
  const owner = await newPerson()
  await survivors('Worker killed over an invitation', once, async (strike) => {
    const workspace = await workspaceOf([owner], ['owner'])
    const email = newEmail()
    const key = randomUUID()
    const invite = () =>
      decide(owner, workspace, {
        path: '/v1/workspace/invitations',
        body: { email, role: 'member' },
        proof: { action: 'invitation.create', params: { email, role: 'member' } },
        key,
      })
    await dies(strike, invite)
    const again = await invite()
    expect(again.status, again.text).toBe(201)
    expect(
      await sql('select id from workspace_invitations where tenant_id = $1', [workspace.tenantId]),
    ).toEqual([{ id: again.body.id }])
    await trigger('sandbox')
    await received(email, 1)
  })
})

test('the Worker is killed while a person accepts an invitation: one membership', async () => {
  const owner = await newPerson()
  await survivors('Worker killed over an acceptance', once, async (strike) => {
    const workspace = await workspaceOf([owner], ['owner'])
    const person = await newPerson()
    const id = await addInvitation(workspace, { email: person.email })
    const key = randomUUID()
    await dies(strike, () => accept(person, id, key))
    const again = await accept(person, id, key)
    expect(again.status, again.text).toBe(200)
    expect((await membersOf(workspace.tenantId)).map(({ user_id }) => user_id).sort()).toEqual(
      [owner.userId, person.userId].sort(),
    )
  })
})

test('the Worker is killed while customers are merged: they are one, once', async () => {
  await survivors('Worker killed over a merge', once, async (strike) => {
    const merchant = await newMerchant()
    const from = await newCustomer(merchant, { name: 'Ana Ruiz', tags: ['vip'] })
    const into = await newCustomer(merchant, { name: 'Ana' })
    const merge = () =>
      call<{ error?: object }>('POST', `/v1/customer-hub/customers/${from.id}/merge`, {
        bearer: merchant.apiKey,
        headers: { 'idempotency-key': 'the-merge-of-this-drill' },
        body: { into: into.id },
      })
    await dies(strike, merge)
    const again = await merge()
    expect(again.status, again.text).toBe(200)
    const { body } = await asked(merchant, 'GET', `/customers/${from.id}`)
    expect([body.id, body.tags]).toEqual([into.id, ['vip']])
    const counts = `select (select count(*)::int from customer_merges where tenant_id = $1) as merges,
      (select count(*)::int from events where tenant_id = $1 and type = 'customer.merged') as events`
    expect(await sql(counts, [merchant.tenantId])).toEqual([{ merges: 1, events: 1 }])
  })
})
