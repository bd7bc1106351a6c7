import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onPaper } from '../support/escpos.ts'
import { wordsIn } from '../support/pdf.ts'
import { blocks, demoTerminal, home, lines } from '../support/tour.ts'

test('a reader is paired, asks for itself, and is unpaired; a phone redeems a token and takes a card', async () => {
  const [made, pairs, asked, rotates, unpaired, token, taps, attests] = blocks(
    'docs/devices.md',
    '## Pair',
  ) as [string, string, string, string, string, string, string, string]
  const { run, end } = await demoTerminal()
  expect(await run(made)).toMatch(/^Type on the reader: \w{4}-\w{4}$/m)
  await run(pairs)
  const reader = { object: 'reader', status: 'paired', connection: 'online', model: 'S700' }
  expect(lines(await run(asked))).toMatchObject([reader, { ...reader, name: 'Mostrador' }])
  await run(rotates)
  expect(lines(await run(unpaired))).toMatchObject([
    { object: 'reader', status: 'unpaired' },
    { error: { code: 'device_unpaired' } },
  ])
  expect(lines(await run(token))).toMatchObject([
    { object: 'tap_to_pay.connection_token', status: 'redeemed' },
  ])
  expect(lines(await run(taps))).toMatchObject([
    { object: 'reader_action', status: 'in_progress' },
    { object: 'reader_action', status: 'succeeded' },
    { object: 'tap_session', status: 'ended' },
  ])
  expect(lines(await run(attests))).toMatchObject([
    { object: 'phone_attestation', status: 'verified', provider: 'sandbox' },
    { object: 'phone', attestation: { status: 'valid', app: 'com.example.pos' } },
  ])
  end()
})

test('a card is taken at a reader: a payment, a cancellation, and what the reader itself asks', async () => {
  const [
    pairs,
    asked,
    paid,
    sold,
    tipped,
    typed,
    configured,
    shown,
    canceled,
    device,
    captured,
    stored,
    receipts,
  ] = blocks('docs/terminal.md', '## A payment') as [
    ...[string, string, string, string, string, string],
    ...[string, string, string, string, string, string, string],
  ]
  const { run, end } = await demoTerminal()
  await run(pairs)
  expect(lines(await run(asked))).toMatchObject([{ object: 'reader_action', status: 'in_progress' }])
  expect(lines(await run(paid))).toMatchObject([
    { object: 'reader_action', status: 'succeeded' },
    { object: 'payment', status: 'succeeded', amount: '120000' },
  ])
  expect(lines(await run(sold))).toMatchObject([
    { amount: '13100', amount_tip: '1500', line_items: [{ name: 'Café', quantity: 2 }] },
    { object: 'tip_report', amount_owed: '1500' },
  ])
  expect(lines(await run(tipped))).toMatchObject([
    { type: 'collect_tip', status: 'succeeded', tip: { chosen: { kind: 'preset', amount: '6750' } } },
    { object: 'in_person_payment', status: 'succeeded', amount: '51750', amount_tip: '6750' },
  ])
  expect(lines(await run(typed))).toMatchObject([
    { type: 'collect_input', status: 'succeeded', answers: [{ value: 'ana@example.com' }, { value: null }] },
  ])
  expect(lines(await run(configured))).toMatchObject([
    { object: 'location', name: 'Condesa' },
    { type: 'collect_tip', status: 'canceled', tip: { presets: [{ amount: '4500' }, { amount: '6750' }] } },
  ])
  const done = { object: 'device_action', status: 'succeeded' }
  expect(lines(await run(shown))).toMatchObject([
    { ...done, type: 'display' },
    { ...done, type: 'print' },
    { ...done, type: 'ping' },
  ])
  expect(onPaper(readFileSync(join(home.path, 'spindle-print.bin'))).isCut).toBe(true)
  expect(lines(await run(canceled))).toMatchObject([{ object: 'reader_action', status: 'canceled' }])
  const action = { object: 'device_action', amount: '45000' }
  expect(lines(await run(device))).toMatchObject([
    { object: 'next_action', action },
    action,
    { ...action, status: 'succeeded' },
    action,
  ])
  const sale = { object: 'in_person_payment', amount_authorized: '45000', capture_method: 'manual' }
  expect(lines(await run(captured))).toMatchObject([
    { ...sale, status: 'authorized', amount_captured: '0' },
    { ...sale, status: 'succeeded', amount_captured: '40000' },
  ])
  expect(lines(await run(stored))).toMatchObject([
    { object: 'terminal_configuration', offline: { enabled: true, amount_max: '50000' } },
    { object: 'list', data: [] },
  ])
  expect(lines(await run(receipts))).toMatchObject([{ object: 'in_person_receipt', amount: '45000' }])
  const printed = onPaper(readFileSync(join(home.path, 'spindle-receipt.bin')))
  expect(printed.lines.map(({ text }) => text).join('\n')).toMatch(
    /Autorizado +\$450\.00 MXN\nCobrado +\$400\.00 MXN/,
  )
  expect(wordsIn(readFileSync(join(home.path, 'spindle-receipt.pdf')))).toContain('Payment receipt')
  end()
})

test('a reader of the processor is registered by its code, takes a card and shows lines', async () => {
  const [registered] = blocks('docs/terminal.md', '## In live') as [string]
  const { run, end } = await demoTerminal()
  expect(lines(await run(registered))).toMatchObject([
    { object: 'reader', status: 'paired', model: 'simulated_stripe_s700' },
    { object: 'reader_action', type: 'process_payment', status: 'in_progress' },
    { object: 'reader_action', type: 'process_payment', status: 'succeeded' },
    { object: 'reader_action', type: 'display', status: 'succeeded' },
  ])
  end()
})
