import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Reply } from '../../local/gateway.ts'
import type { Call } from '../support/gateways/call-log.ts'
import { neonControls } from '../support/gateways/neon.ts'
import { sequentialTrips } from '../support/trips.ts'

const call = (startedAtMs: number, finishedAtMs?: number): Call => ({
  sequence: 0,
  database: 'sandbox',
  role: '',
  statements: [],
  startedAtMs,
  ...(finishedAtMs !== undefined && { finishedAtMs }),
})

test.each([
  ['no call', [], undefined, 0],
  ['one after the other', [call(0, 10), call(10, 20), call(25, 30)], undefined, 3],
  ['side by side', [call(0, 10), call(1, 9), call(2, 30)], undefined, 1],
  ['two side by side, then one', [call(0, 10), call(0, 4), call(11, 20)], undefined, 2],
  ['a quick one before each of two overlapping', [call(0, 2), call(3, 8), call(5, 30)], undefined, 2],
  ['what was not waited for', [call(0, 10), call(0), call(11, 50)], 20, 1],
])('%s', (_, calls, untilMs, trips) => {
  expect(sequentialTrips(calls, untilMs)).toBe(trips)
})

test('a call has ended before its client can have the answer', async () => {
  const { between, controls } = neonControls()
  const endedWhenSent: boolean[] = []
  const response = {
    writeHead: () => endedWhenSent.push(controls.log.since(0)[0]?.finishedAtMs !== undefined),
  } as unknown as ServerResponse
  const serve = async (): Promise<Reply> => {
    response.writeHead(200)
    return [200, '']
  }
  await between({ database: '', role: '', statements: [], serve, execute: serve }, response)
  expect(endedWhenSent).toEqual([true])
})
