import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'
import { billOf, dish, tablePay } from '../../support/table-pay.ts'

const pin = '482135'

const locked = async (more: object = { pin }) => billOf(await newMerchant(), [10_000], more)

const unlock = (address: string, typed: string, query = '') =>
  open(`/${address}/unlock`, {
    method: 'POST',
    body: new URLSearchParams({ locale: 'en', query, password: typed }),
  })

const cookieOf = (reply: Response) => reply.headers.getSetCookie()[0]!.split(';', 1)[0]!

test('a bill with a PIN shows no line and takes no money until it is typed', async () => {
  const bill = await locked()
  expect(bill.opened.body).toMatchObject({ has_pin: true })
  for (const query of ['', `&line=${bill.lines[0]}`, '&amount=50']) {
    const asked = await pageOf(`/${bill.address}?lang=en${query}`)
    expect([asked.status, asked.title]).toEqual([200, expect.stringContaining('Type the code of your bill')])
    for (const hidden of ['Plato 1', '100.00', 'name="quote"']) expect(asked.html).not.toContain(hidden)
  }
  const wrong = await unlock(bill.address, '482136')
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([422, []])
  const right = await unlock(bill.address, pin, `?line=${bill.lines[0]}`)
  expect([right.status, right.headers.get('location')]).toEqual([
    303,
    `/${bill.address}?line=${bill.lines[0]}&lang=en`,
  ])
  const opened = await pageOf(`/${bill.address}?lang=en`, { headers: { cookie: cookieOf(right) } })
  expect(opened.html).toContain('Plato 1')
})

test('the PIN is in no row, reply or event, and in no address', async () => {
  const bill = await locked()
  await bill.ask('POST', '/lines', { line_items: [dish(500)] })
  const rows = await adminSql('sandbox')(
    `select to_jsonb(e)::text as row from events e where tenant_id = $1
     union all select to_jsonb(c)::text from idempotency_claims c where tenant_id = $1
     union all select to_jsonb(a)::text from audit_events a where tenant_id = $1
     union all select to_jsonb(s)::text from table_sessions s where tenant_id = $1`,
    [bill.merchant.tenantId],
  )
  const read = JSON.stringify([rows.map(({ row }) => row), bill.opened.body, await bill.now()])
  expect(read).not.toContain(`"${pin}"`)
  expect(JSON.stringify([bill.opened.body, await bill.now()])).not.toContain('pbkdf2')
  const page = await pageOf(`/${bill.address}?lang=en`)
  expect(page.html).toMatch(/<form method="post" action="\/sbill_[a-z0-9]{32}\/unlock"/)
})

test('the PIN of one bill opens no other, and neither does that of the bill before', async () => {
  const bill = await locked()
  const cookie = cookieOf(await unlock(bill.address, pin))
  await bill.ask('POST', '/void')
  const next = await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, {
    pin,
    line_items: [dish(700)],
  })
  const { title } = await pageOf(`/${next.body.public_id}?lang=en`, { headers: { cookie } })
  expect(title).toContain('Type the code of your bill')
})

test.each(['1234', '12345', '123456789', '12a45', ''])('a PIN of %j is refused', async (wrong) => {
  const bill = await locked({})
  expect(bill.opened.body).toMatchObject({ has_pin: false })
  await bill.ask('POST', '/void')
  const refused = await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, { pin: wrong })
  expect([refused.status, refused.body.error]).toMatchObject([422, { param: 'pin' }])
})
