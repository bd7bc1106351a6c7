import { expect, test } from 'vitest'
import { asked, type Customer, newCustomer } from '../../support/customers.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const answerOf = ({ status, body: { error, status: is } }: Awaited<ReturnType<typeof asked<Customer>>>) =>
  `${status} ${error?.code ?? is}${error?.param ? ` ${error.param}` : ''}`

const merge = (merchant: Merchant, from: string, into: string) =>
  asked(merchant, 'POST', `/customers/${from}/merge`, { into })
const unmerge = (merchant: Merchant, id: string) => asked(merchant, 'POST', `/customers/${id}/unmerge`)
const read = async (merchant: Merchant, id: string) => (await asked(merchant, 'GET', `/customers/${id}`)).body
const change = (merchant: Merchant, { id }: Customer, fields: object) =>
  asked(merchant, 'PATCH', `/customers/${id}`, fields)
const listed = async <Item>(merchant: Merchant, at: string) =>
  (await asked<{ data: Item[] }>(merchant, 'GET', at)).body.data

/** Everything of a customer that an unmerge gives back. */
async function everything(merchant: Merchant, id: string) {
  const {
    version: _,
    updated_at: __,
    ...customer
  } = (await read(merchant, id)) as Customer & {
    updated_at: string
  }
  const parts = (table: string, columns: string) =>
    adminSql('sandbox')(`select id, ${columns} from ${table} where customer_id = $1 order by id`, [id])
  return {
    customer,
    contacts: await parts('customer_contacts', 'kind, value, status, verified_at'),
    consents: await parts('customer_consents', 'contact_id, channel, purpose, status'),
    notes: await parts('customer_notes', 'text'),
  }
}

/** A customer with a contact of her own and one that others have too, each with a consent, and with a note. */
async function fullCustomer(merchant: Merchant, fields: object, verified = false) {
  const made = await newCustomer(merchant, fields)
  const add = async (body: object) =>
    (await asked<{ id: string }>(merchant, 'POST', `/customers/${made.id}/contacts`, body)).body.id
  const shared = await add({ kind: 'phone', value: '5512345678', verified })
  const own = await add({ kind: 'email', value: `${(fields as { name: string }).name}@own.example` })
  const consent = (contact: string, channel: string) =>
    asked(merchant, 'POST', `/contacts/${contact}/consents`, { channel, method: 'paper', text_version: 'v' })
  await consent(shared, 'sms')
  await consent(own, 'email')
  await asked(merchant, 'POST', `/customers/${made.id}/notes`, { text: `about ${made.id}` })
  return { ...made, shared, own }
}

test('a merged customer answers as its survivor, which has what both had; undone, each has what it had', async () => {
  const merchant = await newMerchant()
  const ana = await fullCustomer(merchant, { name: 'Ana', locale: 'es-MX', external_id: 'crm-a' }, true)
  const eva = await fullCustomer(merchant, { name: 'Eva', tags: ['vip'] })
  const before = [await everything(merchant, ana.id), await everything(merchant, eva.id)]

  const merged = await merge(merchant, ana.id, eva.id)
  expect(merged.body).toMatchObject({
    id: eva.id,
    name: 'Eva',
    locale: 'es-MX',
    external_id: 'crm-a',
    tags: ['vip'],
    merged_into: null,
  })
  expect(await read(merchant, ana.id)).toEqual(merged.body)
  type Contact = { value: string; verified_at: string | null }
  const contacts = await listed<Contact>(merchant, `/customers/${ana.id}/contacts`)
  expect(contacts.map(({ value, verified_at }) => `${value} ${verified_at !== null}`).sort()).toEqual([
    '+525512345678 true',
    'ana@own.example false',
    'eva@own.example false',
  ])
  expect(await listed(merchant, `/customers/${eva.id}/consents`)).toHaveLength(3)
  expect(await listed(merchant, `/customers/${eva.id}/notes`)).toHaveLength(2)
  const found = await listed<Customer>(merchant, '/customers?email=ana@own.example')
  expect(found.map(({ id }) => id)).toEqual([eva.id])
  expect(answerOf(await change(merchant, ana, { name: 'x' }))).toBe('409 customer_merged')

  expect((await unmerge(merchant, ana.id)).body).toMatchObject({ id: ana.id, status: 'active', name: 'Ana' })
  expect([await everything(merchant, ana.id), await everything(merchant, eva.id)]).toEqual(before)
  expect(answerOf(await unmerge(merchant, ana.id))).toBe('409 customer_not_merged')
  const events = await adminSql('sandbox')<{ type: string }>(
    `select type from events where tenant_id = $1 and resource_id = $2 and type not like '%\\_added' and type not like '%given' order by sequence`,
    [merchant.tenantId, ana.id],
  )
  expect(events.map(({ type }) => type)).toEqual(['customer.created', 'customer.merged', 'customer.unmerged'])
})

test('what changed in between stays with whom it is of, and a withdrawal counts for both', async () => {
  const merchant = await newMerchant()
  const ana = await fullCustomer(merchant, { name: 'Ana', external_id: 'crm-a' })
  const eva = await fullCustomer(merchant, { name: 'Eva' })
  await merge(merchant, ana.id, eva.id)
  await change(merchant, eva, { name: 'Evita', email: 'evita@example.com' })
  await asked(merchant, 'POST', `/contacts/${ana.own}/verify`)
  await asked(merchant, 'POST', `/contacts/${ana.own}/consents`, {
    channel: 'email',
    purpose: 'surveys',
    method: 'paper',
    text_version: 'v',
  })
  const consents = await listed<{ id: string; channel: string }>(merchant, `/customers/${eva.id}/consents`)
  for (const { id, channel } of consents)
    if (channel === 'sms') await asked(merchant, 'POST', `/consents/${id}/withdraw`)
  await unmerge(merchant, ana.id)

  expect(await read(merchant, eva.id)).toMatchObject({
    name: 'Evita',
    email: 'evita@example.com',
    external_id: null,
  })
  const back = await everything(merchant, ana.id)
  expect(back.customer).toMatchObject({ name: 'Ana', external_id: 'crm-a' })
  expect(back.contacts.find(({ id }) => id === ana.own)!.verified_at).not.toBeNull()
  expect(back.consents.map(({ purpose, status }) => `${purpose} ${status}`).sort()).toEqual([
    'marketing given',
    'marketing withdrawn',
    'surveys given',
  ])
})

const permutations = (of: readonly number[]): number[][] =>
  of.length === 0
    ? [[]]
    : of.flatMap((one) => permutations(of.filter((other) => other !== one)).map((rest) => [one, ...rest]))

test.each(permutations([0, 1, 2]))(
  'of three merged with one address, undone as %i, %i, %i, each has the verification and consents that it had',
  async (...order) => {
    const merchant = await newMerchant()
    const survivor = await newCustomer(merchant, { name: 'Zoe' })
    const made = await Promise.all(
      [
        { says: [] },
        { verified: true, says: ['marketing', 'surveys'] },
        { says: ['profiling', 'surveys'] },
      ].map(async ({ verified, says }, at) => {
        const { id } = await newCustomer(merchant, { name: `Customer ${at}` })
        const contact = { kind: 'email', value: 'ana@example.com', verified }
        const added = await asked<{ id: string }>(merchant, 'POST', `/customers/${id}/contacts`, contact)
        for (const purpose of says)
          await asked(merchant, 'POST', `/contacts/${added.body.id}/consents`, {
            channel: 'email',
            purpose,
            method: 'paper',
            text_version: 'v',
          })
        return id
      }),
    )
    const all = () => Promise.all([survivor.id, ...made].map((id) => everything(merchant, id)))
    const before = await all()
    for (const id of made) expect(answerOf(await merge(merchant, id, survivor.id))).toBe('200 active')
    const merged = new Set(made)
    for (const at of order) {
      merged.delete(made[at]!)
      expect(answerOf(await unmerge(merchant, made[at]!))).toBe('200 active')
      expect(await everything(merchant, made[at]!)).toEqual(before[at + 1])
      const { contacts, consents } = await everything(merchant, survivor.id)
      const left = made.filter((id) => merged.has(id))
      expect(contacts.map(({ verified_at }) => verified_at !== null)).toEqual(
        left.length === 0 ? [] : [merged.has(made[1]!)],
      )
      const ofLeft = left.flatMap((id) => before[made.indexOf(id) + 1]!.consents.map((consent) => consent.id))
      expect(consents.filter(({ id }) => !ofLeft.includes(id))).toEqual([])
    }
    expect(await all()).toEqual(before)
  },
)

test('a verification that came with a later merge is not given to an earlier one', async () => {
  const merchant = await newMerchant()
  const [ana, eva, zoe] = (await Promise.all(
    ['Ana', 'Eva', 'Zoe'].map((name) => newCustomer(merchant, { name })),
  )) as [Customer, Customer, Customer]
  const add = async ({ id }: Customer, verified: boolean) => {
    const contact = { kind: 'email', value: 'ana@example.com', verified }
    return (await asked<{ id: string }>(merchant, 'POST', `/customers/${id}/contacts`, contact)).body.id
  }
  const [own] = [await add(zoe, false), await add(ana, true)]
  await merge(merchant, ana.id, zoe.id)
  await asked(merchant, 'DELETE', `/contacts/${own}`)
  await add(eva, true)
  const before = await everything(merchant, eva.id)
  await merge(merchant, eva.id, zoe.id)
  await unmerge(merchant, ana.id)
  expect((await everything(merchant, ana.id)).contacts).toMatchObject([{ verified_at: null }])
  await unmerge(merchant, eva.id)
  expect(await everything(merchant, eva.id)).toEqual(before)
})

test.each(['into', 'from'])(
  'a consent withdrawn later than the other gave it is withdrawn, merged %s who withdrew; one given later stays',
  async (direction) => {
    const merchant = await newMerchant()
    const [ana, eva] = [
      await newCustomer(merchant, { name: 'Ana' }),
      await newCustomer(merchant, { name: 'Eva' }),
    ]
    const give = async ({ id }: Customer, purpose: string, more: object = {}) => {
      const { data } = (await asked<{ data: { id: string }[] }>(merchant, 'GET', `/customers/${id}/contacts`))
        .body
      const consent = { channel: 'email', purpose, method: 'paper', text_version: 'v', ...more }
      return asked(merchant, 'POST', `/contacts/${data[0]!.id}/consents`, consent)
    }
    for (const { id } of [ana, eva])
      await asked(merchant, 'POST', `/customers/${id}/contacts`, { kind: 'email', value: 'ana@example.com' })
    for (const purpose of ['marketing', 'surveys'])
      await asked(merchant, 'POST', `/consents/${(await give(ana, purpose)).body.id}/withdraw`)
    await give(eva, 'marketing', { given_at: '2026-01-15T12:00:00Z' })
    await give(eva, 'surveys')
    const [from, to] = direction === 'into' ? [eva, ana] : [ana, eva]
    await merge(merchant, from.id, to.id)
    const given = (await everything(merchant, to.id)).consents.filter(({ status }) => status === 'given')
    expect(given.map(({ purpose }) => purpose)).toEqual(['surveys'])
    await unmerge(merchant, from.id)
    const ofEva = (await everything(merchant, eva.id)).consents.map(
      ({ purpose, status }) => `${purpose} ${status}`,
    )
    expect(ofEva.toSorted()).toEqual(['marketing withdrawn', 'surveys given'])
  },
)

test('chains lead to their root and are undone from there; what cannot be merged is refused', async () => {
  const merchant = await newMerchant()
  const [ana, eva, zoe, bea] = (await Promise.all(
    ['Ana', 'Eva', 'Zoe', 'Bea'].map((name) => newCustomer(merchant, { name })),
  )) as [Customer, Customer, Customer, Customer]
  const foreign = await newCustomer(await newMerchant(), { name: 'Foreign' })
  await asked(merchant, 'POST', `/customers/${bea.id}/block`)
  expect(answerOf(await merge(merchant, ana.id, eva.id))).toBe('200 active')
  expect(answerOf(await merge(merchant, eva.id, zoe.id))).toBe('200 active')
  expect((await read(merchant, ana.id)).id).toBe(zoe.id)
  const refusals: [string, string, string][] = [
    [zoe.id, zoe.id, '422 customer_merge_into_itself into'],
    [zoe.id, ana.id, '409 customer_merged into'],
    [ana.id, zoe.id, '409 customer_merged'],
    [bea.id, zoe.id, '409 customer_blocked'],
    [zoe.id, bea.id, '409 customer_blocked into'],
    [zoe.id, foreign.id, '404 customer_not_found into'],
    [foreign.id, zoe.id, '404 customer_not_found'],
  ]
  for (const [from, into, answer] of refusals)
    expect([answer, answerOf(await merge(merchant, from, into))]).toEqual([answer, answer])
  expect(answerOf(await unmerge(merchant, ana.id))).toBe('409 customer_survivor_merged')
  expect(answerOf(await unmerge(merchant, zoe.id))).toBe('409 customer_not_merged')
  await unmerge(merchant, eva.id)
  expect((await read(merchant, ana.id)).id).toBe(eva.id)
  await adminSql('sandbox')(
    `update customer_merges set undoable_until = now() - interval '1 second' where customer_id = $1`,
    [ana.id],
  )
  expect(answerOf(await unmerge(merchant, ana.id))).toBe('409 customer_unmerge_too_late')
  const cycle = adminSql('sandbox')(
    `update customers set status = 'merged', merged_into = $2 where id = $1`,
    [eva.id, ana.id],
  )
  await expect(cycle).rejects.toThrow('a customer becomes part of a current one')
})
