import { expect, test } from 'vitest'
import { adminSql } from '../../support/stack.ts'

const event = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'payment.succeeded',
  api_version: '2026-06-13',
  created_at: '2026-06-13T12:00:00.5Z',
  sequence: 3,
  object: { id: 'x', amount: '120000', taxes: [], name: 'Café "ñ" \u2028', nothing: null },
  previous_attributes: { status: 'processing' },
}
// A try that failed before a deploy is repeated after it, under the same webhook-id: its bytes must be the same.
test('an event is rendered to these bytes; another rendering takes another api_version', async () => {
  const [row] = await adminSql('sandbox')<{ body: string }>(
    'select door.event_body(jsonb_populate_record(null::events, $1::jsonb)) as body',
    [JSON.stringify(event)],
  )
  expect(row!.body).toBe(
    '{"id":"01890a5d-ac96-774b-bcce-b302099a8057","object":"event","type":"payment.succeeded",' +
      '"api_version":"2026-06-13","environment":"sandbox","created_at":"2026-06-13T12:00:00.500Z","sequence":3,' +
      '"data":{"object":{"id": "x", "name": "Café \\"ñ\\" \u2028", "taxes": [], "amount": "120000", "nothing": null},' +
      '"previous_attributes":{"status": "processing"}}}',
  )
})
