import { afterEach, expect, test, vi } from 'vitest'
import type { Settings } from '../../../src/env.ts'
import { database, OutcomeUnknown, Refused } from '../../../src/platform/postgres.ts'

afterEach(() => vi.unstubAllGlobals())

const settings = {
  databaseUrl: 'postgres://worker:secret@db.example/sandbox',
  databaseTimeoutMs: 500,
  doorSecrets: { current: '1', byVersion: { '1': 'proof' } },
} as unknown as Settings

/** What a call becomes, and how often it was sent, where Neon answers with this error of Postgres. */
async function failingWith(code: string): Promise<[cause: unknown, sent: number]> {
  const answer = vi.fn(async () => Response.json({ message: 'internal text', code }, { status: 400 }))
  vi.stubGlobal('fetch', answer)
  const cause = await database(settings)
    .sweep(new Date(0), 1)
    .catch((error: unknown) => error)
  return [cause, answer.mock.calls.length]
}

test.each([
  ['a connection exception', '08006'],
  ['a password that is being changed', '28P01'],
  ['too many connections', '53300'],
  ['a lock that was not free in time', '55P03'],
  ['a shutdown', '57P01'],
  ['an I/O error', '58030'],
  ['an internal error, as backends give while Postgres restarts', 'XX000'],
])('%s: the outcome is unknown, and the call is sent twice', async (_, code) => {
  const [cause, sent] = await failingWith(code)
  expect(cause).toBeInstanceOf(OutcomeUnknown)
  expect(sent).toBe(2)
})

test('a read that Postgres stopped at its time limit is sent once; a change is sent twice', async () => {
  const answer = vi.fn(async () => Response.json({ message: 'canceled', code: '57014' }, { status: 400 }))
  vi.stubGlobal('fetch', answer)
  const read = () => database(settings).read('things.list', { kind: 'api_key' }, [])
  await expect(read()).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(answer).toHaveBeenCalledTimes(1)
  expect(await failingWith('57014')).toEqual([expect.any(OutcomeUnknown), 2])
})

test.each([
  ['a unique key', '23505'],
  ['a check', '23514'],
  ['the door', 'SP430'],
  ['a fault of ours', '42703'],
])('%s refuses: the call is sent once', async (_, code) => {
  const [cause, sent] = await failingWith(code)
  expect(cause).toBeInstanceOf(Refused)
  expect(cause).toMatchObject({ sqlState: code })
  expect(sent).toBe(1)
})
