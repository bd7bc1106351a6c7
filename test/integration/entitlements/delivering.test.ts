import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newSession, payByCard } from '../../support/checkout.ts'
import { newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { dispute, reconsider, resolve } from '../../support/disputes.ts'
import {
  addFile,
  addKeys,
  buy,
  codeOn,
  digital,
  downloadsOn,
  entitled,
  grantedNow,
  grantedTo,
  pool,
  refundOf,
} from '../../support/entitlements.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const eventsOf = async ({ tenantId }: Merchant) =>
  (
    await adminSql('sandbox')<{ type: string }>(
      `select type from events where tenant_id = $1 and resource_type = 'entitlement' order by created_at, resource_id, sequence`,
      [tenantId],
    )
  ).map(({ type }) => type.replace('entitlement.', ''))

describe('what a payment grants', () => {
  test('a key of the pool, to one buyer each', async () => {
    const merchant = await newMerchant()
    const item = await digital(merchant, pool)
    expect((await addKeys(merchant, item, 'KEY-AAAA', 'KEY-BBBB', 'KEY-CCCC')).body).toMatchObject({
      added: 3,
      known: 0,
    })
    const first = await buy(merchant, [item, 2])
    const second = await buy(merchant, [item])
    const [ours, theirs] = [await codeOn(first.receipt), await codeOn(second.receipt)]
    expect([ours.length, theirs.length]).toEqual([2, 1])
    expect([...ours, ...theirs].sort()).toEqual(['KEY-AAAA', 'KEY-BBBB', 'KEY-CCCC'])
    const granted = await grantedTo(merchant, first)
    expect(granted.map(({ status }) => status)).toEqual(['active', 'active'])
    expect(granted.map(({ code_last4 }) => `KEY-${code_last4}`).sort()).toEqual(ours.sort())
    expect(await eventsOf(merchant)).toEqual([
      'created',
      'delivered',
      'created',
      'delivered',
      'created',
      'delivered',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('where the pool is empty the buyer waits, and new keys go to who waits longest', async () => {
    const merchant = await newMerchant()
    const item = await digital(merchant, pool)
    const [first, second] = [await buy(merchant, [item]), await buy(merchant, [item])]
    expect((await grantedTo(merchant, first)).map(({ status }) => status)).toEqual(['pending'])
    expect((await pageOf(`${first.receipt}?lang=en`)).html).toContain('We are preparing it')
    await addKeys(merchant, item, 'LATE-0001')
    expect(await codeOn(first.receipt)).toEqual(['LATE-0001'])
    expect(await codeOn(second.receipt)).toEqual([])
    expect((await addKeys(merchant, item, 'LATE-0001', 'LATE-0002', 'LATE-0002')).body).toMatchObject({
      added: 1,
      known: 2,
    })
    expect(await codeOn(second.receipt)).toEqual(['LATE-0002'])
    await grantedTo(merchant, first)
    expect(await eventsOf(merchant)).toEqual(['created', 'created', 'delivered', 'delivered'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a generated key and a voucher get a code; a voucher is redeemed once, however its code is typed', async () => {
    const merchant = await newMerchant()
    const key = await digital(merchant, { kind: 'license_key', keys: 'generated' })
    const voucher = await digital(merchant, { kind: 'voucher' })
    const bought = await buy(merchant, [key], [voucher])
    const granted = await grantedTo(merchant, bought)
    expect(granted.map(({ status }) => status)).toEqual(['active', 'active'])
    const codes = await codeOn(bought.receipt)
    expect(codes).toHaveLength(2)
    const last4 = granted.find(({ kind }) => kind === 'voucher')!.code_last4!
    const code = codes.find((one) => one.endsWith(last4))!
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    const redeem = (typed: string) => entitled(merchant, 'POST', '/redemptions', { code: typed })
    const answers = await Promise.all(
      [
        code,
        code.toLowerCase().replaceAll('-', ' '),
        code.replaceAll('0', 'O').replaceAll('1', 'l'),
        code,
      ].map(redeem),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await redeem(code)).body.error?.code).toBe('entitlement_redeemed')
    expect((await redeem('ZZZZ-ZZZZ-ZZZZ-ZZZZ')).body.error).toMatchObject({
      code: 'entitlement_code_not_found',
      param: 'code',
    })
    // A license key is no voucher, though it has a code.
    const other = codes.find((one) => one !== code)!
    expect((await redeem(other)).body.error?.code).toBe('entitlement_code_not_found')
    expect((await pageOf(`${bought.receipt}?lang=en`)).html).toContain('It has been redeemed.')
    expect((await eventsOf(merchant)).filter((type) => type === 'redeemed')).toHaveLength(1)
    const stored = await adminSql('sandbox')(
      'select to_jsonb(e)::text as row from entitlements e where tenant_id = $1 union all select to_jsonb(v)::text from events v where tenant_id = $1',
      [merchant.tenantId],
    )
    expect(JSON.stringify(stored)).not.toContain(code)
  })

  test('parts of a bundle, access for its days, and nothing for what is no digital thing', async () => {
    const merchant = await newMerchant()
    const catalog = await newCatalog(merchant)
    const access = await newItem(merchant, catalog.id, { kind: 'access', name: 'Curso', access_days: 30 })
    const thing = await newItem(merchant, catalog.id, { kind: 'service', name: 'Clase' })
    const bundle = await newItem(merchant, catalog.id, {
      kind: 'bundle',
      name: 'Paquete',
      price: { amount: '10000' },
      components: [
        { item_id: access.id, quantity: 2 },
        { item_id: thing.id, quantity: 1 },
      ],
    })
    await call('POST', `/v1/digital-catalogs/${catalog.id}/publish`, { bearer: merchant.apiKey })
    const bought = await buy(merchant, [bundle.id, 2])
    const granted = await grantedTo(merchant, bought)
    expect(granted.map(({ kind, status, item_id }) => [kind, status, item_id])).toEqual(
      Array(4).fill(['access', 'active', access.id]),
    )
    const days = (Date.parse(granted[0]!.expires_at!) - Date.parse(granted[0]!.ready_at!)) / 86_400_000
    expect(days).toBe(30)
    expect((await pageOf(`${bought.receipt}?lang=en`)).html).toMatch(
      /has opened your access.[\s\S]*Valid until/,
    )
  })

  test('nothing where the payment is declined', async () => {
    const merchant = await newMerchant()
    const item = await digital(merchant, pool)
    await addKeys(merchant, item, 'KEY-AAAA')
    const session = await newSession(merchant, { line_items: [{ item_id: item, quantity: 1 }] })
    await payByCard(session, 'tok_sbx_decline_funds')
    const { body } = await entitled<{ data: unknown[] }>(merchant, 'GET', '/entitlements')
    expect(body.data).toEqual([])
    await payByCard(session)
    const [granted] = (await entitled<{ data: { code_last4: string }[] }>(merchant, 'GET', '/entitlements'))
      .body.data
    expect(granted!.code_last4).toBe('AAAA')
  })
})

describe('what takes it back', () => {
  test.each([
    ['full_refund', '4000', 'active'],
    ['full_refund', undefined, 'revoked'],
    ['any_refund', '4000', 'revoked'],
    ['never', undefined, 'active'],
  ])('by the policy %s a refund of %s leaves it %s', async (revocation_policy, amount, status) => {
    const merchant = await newMerchant()
    const item = await digital(merchant, { ...pool, revocation_policy })
    await addKeys(merchant, item, 'KEY-AAAA')
    const bought = await buy(merchant, [item])
    expect((await refundOf(merchant, bought.paymentId, amount)).status).toBe(201)
    const [granted] = await grantedTo(merchant, bought)
    expect(granted).toMatchObject({ status, revoked_because: status === 'revoked' ? 'refund' : null })
    expect(await codeOn(bought.receipt)).toEqual(status === 'revoked' ? [] : ['KEY-AAAA'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('two partial refunds that are the whole amount are a full refund', async () => {
    const merchant = await newMerchant()
    const bought = await buy(merchant, [await digital(merchant, { kind: 'access' })])
    await refundOf(merchant, bought.paymentId, '4000')
    expect((await grantedNow(merchant, bought.paymentId))[0]!.status).toBe('active')
    await refundOf(merchant, bought.paymentId, '6000')
    expect((await grantedNow(merchant, bought.paymentId))[0]!.status).toBe('revoked')
  })

  test('a lost dispute takes it back, and one that is decided again gives it back', async () => {
    const merchant = await newMerchant()
    const bought = await buy(merchant, [await digital(merchant, { kind: 'access' })])
    const { id } = (await dispute(merchant, bought.paymentId)).body
    expect((await grantedNow(merchant, bought.paymentId))[0]!.status).toBe('active')
    await resolve(merchant, id, 'lost')
    expect((await grantedTo(merchant, bought))[0]).toMatchObject({
      status: 'revoked',
      revoked_because: 'dispute',
    })
    await reconsider(merchant, id, 'won')
    expect((await grantedTo(merchant, bought))[0]).toMatchObject({ status: 'active', revoked_because: null })
    expect(await eventsOf(merchant)).toEqual(['created', 'delivered', 'revoked', 'reinstated'])
  })

  test('the merchant, who may give it back with the same key', async () => {
    const merchant = await newMerchant()
    const item = await digital(merchant, pool)
    await addKeys(merchant, item, 'KEY-AAAA')
    const bought = await buy(merchant, [item])
    const { id } = (await grantedTo(merchant, bought))[0]!
    const move = (what: string) => entitled(merchant, 'POST', `/entitlements/${id}/${what}`)
    expect((await move('reinstate')).body.error?.code).toBe('entitlement_not_revoked')
    expect((await move('revoke')).body).toMatchObject({ status: 'revoked', revoked_because: 'merchant' })
    expect((await move('revoke')).body.error?.code).toBe('entitlement_not_active')
    expect(await codeOn(bought.receipt)).toEqual([])
    expect((await move('reinstate')).body.status).toBe('active')
    expect(await codeOn(bought.receipt)).toEqual(['KEY-AAAA'])
    // Not once the money went back.
    await move('revoke')
    await refundOf(merchant, bought.paymentId)
    expect((await move('reinstate')).body.error?.code).toBe('entitlement_taken_back')
    await trigger('sandbox')
    expect(await eventsOf(merchant)).toEqual(['created', 'delivered', 'revoked', 'reinstated', 'revoked'])
  })
})

describe('downloads', () => {
  const bytes = Buffer.from('%PDF-1.7 <script>alert(1)</script>')

  async function fileBought(fields: object = {}) {
    const merchant = await newMerchant()
    const item = await digital(merchant, { kind: 'file', ...fields })
    const file = await addFile(merchant, item, bytes)
    const bought = await buy(merchant, [item, 3])
    return { merchant, item, file, bought }
  }

  test('the buyer saves the file under its name; nothing of it runs, and each download counts', async () => {
    const { merchant, bought } = await fileBought({ downloads_max: 2 })
    expect(await grantedTo(merchant, bought)).toHaveLength(1)
    const [path] = await downloadsOn(bought.receipt)
    const reply = await open(path!)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''Recetario%20%C3%B1.pdf",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
    })
    expect((await open(path!, { method: 'HEAD' })).status).toBe(405)
    const replies = await Promise.all(Array.from({ length: 20 }, () => open(path!)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(410)])
    expect((await grantedNow(merchant, bought.paymentId))[0]!.downloads_count).toBe(2)
    expect((await pageOf(`${bought.receipt}?lang=en`)).html).toContain('downloaded it as often')
    const { id } = (await grantedNow(merchant, bought.paymentId))[0]!
    const list = await entitled(merchant, 'GET', `/entitlements/${id}/downloads`)
    expect(list.body.error?.code).toBe('downloads_used_up')
  })

  test('an address for the merchant’s own page, with the same rules', async () => {
    const { merchant, bought, file } = await fileBought()
    const { id } = (await grantedTo(merchant, bought))[0]!
    const { body } = await entitled<{ data: { id: string; name: string; bytes: number; url: string }[] }>(
      merchant,
      'GET',
      `/entitlements/${id}/downloads`,
    )
    expect(body.data).toMatchObject([{ id: file, name: 'Recetario ñ.pdf', bytes: bytes.length }])
    expect((await open(new URL(body.data[0]!.url).pathname)).status).toBe(200)
  })

  test('refused: altered, of another buyer, after a revocation, after the file went', async () => {
    const { merchant, bought, file } = await fileBought()
    const [path] = (await downloadsOn(bought.receipt)) as [string]
    const at = path.length - 9
    const altered = path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1)
    for (const none of [altered, '/downloads/x', '/downloads/']) expect((await open(none)).status).toBe(404)
    const other = await fileBought()
    const tokenIn = (address: string) => Buffer.from(address.split('/')[3]!, 'base64url')
    const named = JSON.parse(tokenIn(path).toString().slice(33)) as Record<string, unknown>
    expect(Object.keys(named).sort()).toEqual(['entitlementId', 'fileId', 'validUntil'])
    // The signature of one buyer's address does not fit the ids of another's.
    const [theirs] = (await downloadsOn(other.bought.receipt)) as [string]
    const mixed = Buffer.concat([tokenIn(path).subarray(0, 33), tokenIn(theirs).subarray(33)])
    const [catalog, otherCatalog] = [path.split('/')[2], theirs.split('/')[2]]
    for (const at of [
      `${catalog}/${mixed.toString('base64url')}`,
      `${otherCatalog}/${tokenIn(path).toString('base64url')}`,
    ])
      expect((await open(`/downloads/${at}`)).status).toBe(404)
    const { id } = (await grantedTo(merchant, bought))[0]!
    await entitled(merchant, 'POST', `/entitlements/${id}/revoke`)
    expect((await open(path)).status).toBe(410)
    expect(await downloadsOn(bought.receipt)).toEqual([])
    const count = adminSql('sandbox')('update entitlements set downloads_count = 9 where id = $1', [id])
    await expect(count).rejects.toMatchObject({ constraint: 'entitlements_downloaded_active' })
    await entitled(merchant, 'POST', `/entitlements/${id}/reinstate`)
    expect((await open(path)).status).toBe(200)
    await entitled(merchant, 'DELETE', `/files/${file}`)
    expect((await open(path)).status).toBe(404)
    await trigger('sandbox')
    const [row] = await adminSql('sandbox')<{ status: string }>(
      'select status from delivered_files where id = $1',
      [file],
    )
    expect(row!.status).toBe('removed')
    expect((await entitled(merchant, 'GET', `/files/${file}`)).body.status).toBe('removed')
  })

  test('what an upload is refused for', async () => {
    const merchant = await newMerchant()
    const file = await digital(merchant, { kind: 'file' })
    const key = await digital(merchant, pool)
    const add = (fields: object) =>
      entitled(merchant, 'POST', '/files', { item_id: file, name: 'a.pdf', content: 'AAAA', ...fields })
    const code = async (fields: object) => {
      const { status, body } = await add(fields)
      return `${status} ${body.error?.code} ${body.error?.param}`
    }
    expect(await code({ content: '' })).toBe('422 delivered_file_empty content')
    expect(await code({ item_id: key })).toBe('409 delivered_file_item_unsuitable item_id')
    expect(await code({ item_id: '0190a6d2-7c3e-7b1a-9f00-000000000099' })).toBe(
      '404 catalog_item_not_found item_id',
    )
    expect(await code({ name: '../../etc/passwd' })).toBe('422 parameter_invalid name')
    expect(await code({ name: 'a\r\nSet-Cookie: x' })).toBe('422 parameter_invalid name')
    expect(await code({ content: Buffer.alloc(8 * 1024 * 1024 + 1).toString('base64') })).toBe(
      '422 delivered_file_too_large content',
    )
    expect((await add({ content: Buffer.alloc(8 * 1024 * 1024, 1).toString('base64') })).status).toBe(201)
    expect((await addKeys(merchant, file, 'KEY-AAAA')).body.error?.code).toBe('license_keys_not_pooled')
  })
})

test('a key that is being added while a buyer pays is theirs', async () => {
  const merchant = await newMerchant()
  const item = await digital(merchant, pool)
  await addKeys(merchant, item, 'KEY-0001')
  await buy(merchant, [item])
  const session = await newSession(merchant, { line_items: [{ item_id: item, quantity: 1 }] })
  const form = await openLink(session.public_id)
  const adding = new Client({ connectionString: stack.databases.sandbox.adminUrl })
  await adding.connect()
  await adding.query('begin')
  await adding.query(
    `insert into license_keys (tenant_id, id, item_id, status, ciphertext, digest, last4, created_at, updated_at)
     select tenant_id, gen_random_uuid(), item_id, 'available', ciphertext, 'another', last4, now(), now()
     from license_keys where tenant_id = $1`,
    [merchant.tenantId],
  )
  let isPaid = false
  const paying = pay(session.public_id, form, 'tok_sbx_approve').then(() => {
    isPaid = true
  })
  await expect
    .poll(async () => {
      const waiting = await adminSql('sandbox')(
        `select 1 from pg_locks where locktype = 'advisory' and not granted`,
        [],
      )
      return isPaid || waiting.length > 0
    })
    .toBe(true)
  await adding.query('commit')
  await adding.end()
  await paying
  const [waiting] = await adminSql('sandbox')<{ n: number }>(
    `select count(*)::int as n from entitlements where tenant_id = $1 and status = 'pending'`,
    [merchant.tenantId],
  )
  expect(waiting).toEqual({ n: 0 })
})

test('50 buyers at once for 20 keys, and 30 more keys beside them: each key to one buyer, and none waits', async () => {
  const merchant = await newMerchant()
  const item = await digital(merchant, pool)
  const keys = Array.from({ length: 50 }, (_, at) => `RACE-KEY-${at}x`)
  await addKeys(merchant, item, ...keys.slice(0, 20))
  const sessions = await Promise.all(
    Array.from({ length: 50 }, () => newSession(merchant, { line_items: [{ item_id: item, quantity: 1 }] })),
  )
  await Promise.all([
    ...sessions.map((session) => payByCard(session)),
    ...[20, 30, 40].map((at) => addKeys(merchant, item, ...keys.slice(at, at + 10))),
  ])
  const rows = await adminSql('sandbox')<{ status: string; keys: number }>(
    `select e.status, count(distinct k.id)::int as keys from entitlements e
       left join license_keys k on k.tenant_id = e.tenant_id and k.entitlement_id = e.id
     where e.tenant_id = $1 group by 1`,
    [merchant.tenantId],
  )
  expect(rows).toEqual([{ status: 'active', keys: 50 }])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
