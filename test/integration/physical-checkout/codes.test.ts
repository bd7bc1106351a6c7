import { expect, test } from 'vitest'
import { orderAtCode } from '../../../functions/in-person/physical-checkout/store.ts'
import { drawnQr, scanQr } from '../../support/barcode.ts'
import { explained, pastTriggers } from '../../support/explain.ts'
import { open, sendForm } from '../../support/pages.ts'
import {
  answerOf,
  atRegisters,
  type Counter,
  newCode,
  newCounter,
  newOrder,
  payOrder,
} from '../../support/registers.ts'
import { adminSql, stack } from '../../support/stack.ts'

const at = (url: string) => `${new URL(url).pathname}?lang=en`

test.each([
  ['hybrid', 302],
  ['static', 302],
  ['dynamic', 404],
] as const)('the printed code with an order that is %s answers %i', async (mode, status) => {
  const counter = await newCounter()
  const { url } = await newCode(counter)
  const order = await newOrder(counter, { mode })
  const page = await open(at(url))
  expect(page.status).toBe(status)
  if (status === 302) expect(page.headers.get('location')).toContain(order.public_id)
  else expect(await page.text()).toContain('There is nothing to pay yet')
})

test('a display shows the order, that it is being paid, that it is paid, and then nothing of it', async () => {
  const counter = await newCounter()
  const { url } = await newCode(counter, 'display')
  const state = async () => {
    const reply = await open(`${new URL(url).pathname}/state`)
    return ((await reply.json()) as { followed: string }).followed
  }
  expect([await state(), await (await open(at(url))).text()]).toEqual([
    'idle',
    expect.stringContaining('Your order will appear here'),
  ])
  const order = await newOrder(counter, { mode: 'dynamic' })
  const shown = await (await open(at(url))).text()
  expect(shown).toContain('Café americano')
  expect(shown).toContain('class="qr"')
  expect(await state()).toMatch(/^open\./)
  await payOrder(order)
  expect([await state(), await (await open(at(url))).text()]).toEqual([
    expect.stringMatching(/^paid\./),
    expect.stringContaining('Thank you'),
  ])
  await newOrder(counter, { mode: 'static' })
  expect(await (await open(at(url))).text()).not.toContain('class="qr"')
})

/** What a display of a counter says now: its text, and the state that it follows. */
async function displayed(counter: Counter): Promise<{ html: string; state: string }> {
  const { url } = await newCode(counter, 'display')
  const reply = await open(`${new URL(url).pathname}/state`)
  const { followed } = (await reply.json()) as { followed: string }
  return { html: await (await open(at(url))).text(), state: followed.split('.')[0]! }
}

const setOrder = ({ id }: { id: string }, set: string) =>
  adminSql('sandbox')(`update register_orders set ${set} where id = $1`, [id])

test('a display and a printed code lead to the order that is current, not to the one that was made last', async () => {
  const counter = await newCounter()
  const { url } = await newCode(counter)
  await payOrder(await newOrder(counter))
  const order = await newOrder(counter)
  await setOrder(order, `created_at = created_at - interval '1 min'`)
  expect((await displayed(counter)).state).toBe('open')
  expect((await open(at(url))).headers.get('location')).toContain(order.public_id)
})

test('a display shows no code of an order whose time is over', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  await setOrder(order, `expires_at = now() - interval '1 s'`)
  const { state, html } = await displayed(counter)
  expect([state, html.includes('class="qr"')]).toEqual(['idle', false])
})

test('a display thanks nobody for money that came after the time of its order', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  await payOrder(order)
  expect((await displayed(counter)).state).toBe('paid')
  await setOrder(order, `expires_at = ended_at - interval '1 s'`)
  expect((await displayed(counter)).state).toBe('idle')
})

test('a display says what was paid, with its tip', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter, { tips: { presets_bps: [1000] } })
  await sendForm(order as never, { card_token: 'tok_sbx_approve', tip: '1000' }, { query: '?tip=1000' })
  expect((await displayed(counter)).html).toContain('$63.80')
})

test('what a display asks for reads one order of five thousand', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const { public_id: publicId } = await newCode(counter, 'display')
  const { id } = await newOrder(counter)
  const query = orderAtCode({ publicId })
  const { buffers: alone } = await explained(merchant.tenantId, query)
  await pastTriggers(
    `insert into register_orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
       'public_id', 'sorder_' || replace(gen_random_uuid()::text, '-', ''), 'is_current', false, 'status', 'canceled',
       'ended_at', o.created_at, 'created_at', o.created_at - n * interval '1 s'))).*
     from register_orders o, generate_series(1, 5000) n where o.tenant_id = $1 and o.id = $2`,
    [merchant.tenantId, id],
  )
  await adminSql('sandbox')('analyze register_orders')
  for (const set of ['is_current = true', `is_current = false, status = 'canceled', ended_at = now()`]) {
    await setOrder({ id }, set)
    const { buffers } = await explained(merchant.tenantId, query)
    // What it looks at beside: levels of indexes, and of five thousand orders the newest alone.
    expect(buffers).toBeLessThan(alone + 13)
  }
})

test('a revoked code leads to nothing', async () => {
  const counter = await newCounter()
  const code = await newCode(counter)
  await newOrder(counter)
  expect((await open(at(code.url))).status).toBe(302)
  await atRegisters(counter.merchant, 'POST', `/codes/${code.id}/revoke`)
  expect((await open(at(code.url))).status).toBe(404)
  expect(answerOf(await atRegisters(counter.merchant, 'POST', `/codes/${code.id}/revoke`))).toBe(
    '409 register_code_revoked',
  )
})

test('a workspace has at most 5,000 active codes', async () => {
  const counter = await newCounter()
  const code = await newCode(counter)
  await adminSql('sandbox')(
    `insert into register_codes (tenant_id, id, public_id, status, register_id, purpose, created_at, updated_at)
     select $1, gen_random_uuid(), 'sreg_' || replace(gen_random_uuid()::text, '-', ''), 'active', $2, 'printed', now(), now()
     from generate_series(1, 4999)`,
    [counter.merchant.tenantId, counter.registerId],
  )
  expect(answerOf({ status: 0, body: await newCode(counter) })).toBe('0 register_code_limit_reached')
  await atRegisters(counter.merchant, 'POST', `/codes/${code.id}/revoke`)
  expect((await newCode(counter)).status).toBe('active')
})

test('the code of a register as SVG leads to its address', async () => {
  const counter = await newCounter()
  const { id, url } = await newCode(counter)
  const reply = await fetch(`${stack.sandbox.directUrl}/v1/physical-checkout/codes/${id}/qr.svg`, {
    headers: { authorization: `Bearer ${counter.merchant.apiKey}` },
  })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('image/svg+xml'),
  ])
  const svg = await reply.text()
  expect(svg).toContain('class="qr"')
  expect(scanQr(drawnQr(svg, 3))).toBe(url)
})
