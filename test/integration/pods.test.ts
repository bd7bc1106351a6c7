import { expect, test } from 'vitest'
import { mintApiKey } from '../../src/kernel/api-key.ts'
import { ownPod, podOf, podOfPath } from '../../src/kernel/pods.ts'
import { asked, newCatalog } from '../support/digital-catalogs.ts'
import { addFile, buy, digital, refundOf } from '../support/entitlements.ts'
import { svg } from '../support/images.ts'
import { newChallenge, newKeeper } from '../support/keys.ts'
import { linkIn, received } from '../support/mails.ts'
import { accept, invite, newPerson, workspaceOf } from '../support/members.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { adminSql, stack } from '../support/stack.ts'
import { newSource } from '../support/sync.ts'
import { endow, transfer } from '../support/transfers.ts'

/** The same identifier in the pod `b`. */
function inPodB(id: string): string {
  const inHex = /^([0-9a-f]{8}-[0-9a-f]{4}-7|tn_)61/
  const there = inHex.test(id)
    ? id.replace(inHex, '$162')
    : id.replace(/(^|_)[a-z0-9]([a-z0-9]{31})$/, '$1b$2')
  expect([podOf(id), podOf(there)]).toEqual([ownPod, 'b'])
  return there
}

/** A path with its first identifier in the pod `b`. */
const pathInPodB = (path: string) => {
  const at = path.split('/').findIndex((part) => podOf(part) !== null)
  return path
    .split('/')
    .map((part, index) => (index === at ? inPodB(part) : part))
    .join('/')
}

const status = async (path: string) =>
  (await fetch(stack.sandbox.directUrl + path, { redirect: 'manual' })).status

test('pages, receipts, downloads and images name their pod; those of another are missing', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const item = await digital(merchant, { kind: 'file' })
  await addFile(merchant, item)
  const { receipt } = await buy(merchant, [item])
  const [download = ''] = /\/downloads\/[^"]+/.exec(
    await (await fetch(stack.sandbox.directUrl + receipt)).text(),
  ) ?? ['']
  const catalog = await newCatalog(merchant)
  await asked(merchant, 'POST', `/${catalog.id}/publish`)
  const { body } = await call<{ logo: { url: string } }>('PUT', '/v1/workspace/branding/logo', {
    bearer: merchant.apiKey,
    body: { content: svg('<path d="M0 0h300v100H0z"/>').toString('base64') },
  })
  const paths = [
    `/${link.public_id}`,
    receipt,
    download,
    `/k/${catalog.public_id}`,
    new URL(body.logo.url).pathname,
  ]
  for (const path of paths) {
    expect([path, podOfPath(path)]).toEqual([path, ownPod])
    expect([path, await status(pathInPodB(path)), await status(path)]).toEqual([path, 404, 200])
  }
  const [sale, payment] = receipt.split('/').slice(1) as [string, string]
  expect(await status(`/${sale}/${inPodB(payment)}`)).toBe(404)
})

test('a session’s requests name the pod of a workspace, a challenge or an invitation', async () => {
  const keeper = await newKeeper()
  const of = (tenantId: string) =>
    call<{ error?: { code: string } }>('GET', `/v1/workspace/members?tenant_id=${tenantId}`, {
      bearer: keeper.token,
    })
  expect((await of(keeper.tenantId)).status).toBe(200)
  expect((await of(inPodB(keeper.tenantId))).body.error?.code).toBe('workspace_not_found')
  const { id } = await newChallenge(keeper)
  const challenge = (at: string) =>
    call<{ error?: { code: string } }>('GET', `/v1/auth/step-up/challenges/${at}`, { bearer: keeper.token })
  expect((await challenge(id)).status).toBe(200)
  expect((await challenge(inPodB(id))).body.error?.code).toBe('step_up_challenge_not_found')
})

test('an invitation, its link and its mail name their pod', async () => {
  const [owner, invited] = [await newPerson(), await newPerson()]
  const workspace = await workspaceOf([owner], ['owner'])
  const id = String((await invite(owner, workspace, invited.email)).body.id)
  const path = linkIn((await received(invited.email, 2))[0]!)
  const [mail] = await adminSql('sandbox')<{ id: string }>(
    'select id from outgoing_mails where tenant_id = $1',
    [workspace.tenantId],
  )
  expect([podOfPath(path), podOf(id), podOf(mail!.id)]).toEqual(Array(3).fill(ownPod))
  expect([await status(path), await status(path.replace(id, inPodB(id)))]).toEqual([200, 410])
  expect((await accept(invited, inPodB(id))).body.error?.code).toBe('invitation_not_found')
  expect((await accept(invited, id)).status).toBe(200)
})

test('what a processor, a bank or a source’s account has of us names its pod', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const item = await digital(merchant, { kind: 'file' })
  const { paymentId } = await buy(merchant, [item])
  const { body } = await call<{ data: { id: string }[] }>(
    'GET',
    `/v1/payment-operations/payments/${paymentId}/attempts`,
    { bearer: merchant.apiKey },
  )
  const refund = await refundOf(merchant, paymentId)
  const source = await newSource(merchant)
  const named = [link.id, body.data[0]!.id, String(refund.body.id), source]
  expect(named.map(podOf)).toEqual(named.map(() => ownPod))
})

test('another pod’s key opens nothing, and its workspace receives nothing', async () => {
  const { token } = mintApiKey({ environment: 'sandbox', pod: 'b' })
  const { body } = await call<{ error: { code: string } }>('GET', '/v1/payment-links', { bearer: token })
  expect(body.error.code).toBe('api_key_invalid')
  const [sender, receiver] = [await newMerchant(), await newMerchant()]
  await endow(sender, 5_000n)
  const refused = await transfer(sender, {
    destination: { type: 'tenant', tenant_id: inPodB(receiver.tenantId) },
  })
  expect(refused.body).toMatchObject({ error: { code: 'transfer_destination_unknown' } })
})

test('the database takes no workspace whose id names no pod', async () => {
  const insert = (tenantId: string) =>
    adminSql('sandbox')(
      `insert into tenants (tenant_id, name, status, created_at, updated_at) values ($1, 'Café', 'active', now(), now())`,
      [tenantId],
    )
  for (const named of ['00', '2f', '3a', '41', '60', '7b', 'ff'])
    await expect(insert(`tn_${named}${'0'.repeat(30)}`)).rejects.toMatchObject({
      constraint: 'tenants_id_form',
    })
})
