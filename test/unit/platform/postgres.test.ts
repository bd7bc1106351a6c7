import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { neonRefusals } from '../../../local/neon-gateway.ts'
import type { Settings } from '../../../src/env/settings.ts'
import { database, OutcomeUnknown, Refused, TooLarge } from '../../../src/platform/postgres.ts'

// What waits for a second try has it once the test lets time pass.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const settings = {
  databaseUrl: 'postgres://worker:secret@db.example/sandbox',
  databaseTimeoutMs: 500,
  doorSecrets: { current: '1', byVersion: { '1': 'proof' } },
} as unknown as Settings

/** What a call becomes, and how often it was sent, where Neon answers with this error of Postgres. */
async function failingWith(code: string): Promise<[cause: unknown, sent: number]> {
  const answer = vi.fn(async () => Response.json({ message: 'internal text', code }, { status: 400 }))
  vi.stubGlobal('fetch', answer)
  return [await causeOf(sweep()), answer.mock.calls.length]
}

const sweep = () => database(settings).sweep(new Date(0), 1)
const read = () => database(settings).read('things.list', { kind: 'api_key' }, [])

async function causeOf(work: Promise<unknown>): Promise<unknown> {
  const cause = work.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(500)
  return cause
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
  expect(await causeOf(read())).toBeInstanceOf(OutcomeUnknown)
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

const refusing = (name: keyof typeof neonRefusals) => {
  const [status, body] = neonRefusals[name]
  const answer = vi.fn(async () => new Response(body, { status }))
  vi.stubGlobal('fetch', answer)
  return answer
}

test.each([
  ['413', 'a change', sweep, TooLarge, 1],
  ['413', 'a read', read, TooLarge, 1],
  ['507', 'a change, which may be committed', sweep, OutcomeUnknown, 2],
  ['507', 'a read', read, TooLarge, 1],
  ['rate-limit', 'a change', sweep, OutcomeUnknown, 2],
  ['rate-limit', 'a read', read, OutcomeUnknown, 2],
  ['53300', 'a change', sweep, OutcomeUnknown, 2],
  ['53300', 'a read', read, OutcomeUnknown, 2],
] as const)('%s to %s', async (name, _what, work, kind, sent) => {
  const answer = refusing(name)
  const cause = await causeOf(work())
  expect(cause).toBeInstanceOf(kind)
  if (kind === TooLarge)
    expect(cause).toMatchObject({ code: `database_${name === '413' ? 'call' : 'rows'}_too_large` })
  expect(answer).toHaveBeenCalledTimes(sent)
})

test('the second tries of calls that failed together come spread over half a second', async () => {
  const answer = refusing('rate-limit')
  const all = Array.from({ length: 200 }, () => sweep().catch(() => {}))
  await vi.advanceTimersByTimeAsync(49)
  expect(answer).toHaveBeenCalledTimes(200)
  const sent: number[] = []
  for (let part = 0; part < 5; part++) {
    const before = answer.mock.calls.length
    await vi.advanceTimersByTimeAsync(part === 4 ? 91 : 90)
    sent.push(answer.mock.calls.length - before)
  }
  await Promise.all(all)
  expect(answer).toHaveBeenCalledTimes(400)
  for (const count of sent) expect(count).toBeGreaterThan(10) // 40 on average
})
