import { afterEach, expect, test, vi } from 'vitest'
import { eachDue } from '../../../src/http/due.ts'
import { Stale } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'

afterEach(() => vi.restoreAllMocks())

/** A job over `count` rows: what was done is due no more, what failed still is. */
function backlog(count: number) {
  const waiting = Array.from({ length: count }, (_, at) => ({ tenantId: 'tn_demo', id: String(at) }))
  const asked: number[] = []
  const db = {
    due: async (_job: string, _now: Date, limit: number) => {
      asked.push(waiting.length)
      return waiting.slice(0, limit)
    },
  }
  const finish = (id: string) => {
    waiting.splice(
      waiting.findIndex((row) => row.id === id),
      1,
    )
  }
  return { services: { db } as unknown as Services, waiting, asked, finish }
}

const run = (services: Services, work: (id: string) => Promise<void>) =>
  eachDue(services, 'job', 'req_test', new Date(), (_credential, id) => work(id))

test('a backlog of several batches is worked off in one run', async () => {
  const { services, waiting, asked, finish } = backlog(250)
  await run(services, async (id) => finish(id))
  expect(waiting).toEqual([])
  expect(asked).toEqual([250, 150, 50])
})

test('what fails is told, and keeps no other waiting', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { services, waiting, finish } = backlog(130)
  await run(services, async (id) => {
    if (Number(id) < 3) throw new Error('cannot')
    finish(id)
  })
  expect(waiting.map(({ id }) => id)).toEqual(['0', '1', '2'])
  expect(told.mock.calls.length).toBe(6)
})

test('a batch that fails wholly ends the run; a row that somebody else moved is nobody’s fault', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { services, asked } = backlog(300)
  await run(services, async (id) => {
    throw Number(id) % 2 ? new Stale() : new Error('cannot')
  })
  expect(asked).toEqual([300])
  expect(told.mock.calls.length).toBe(50)
})
