import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { jobs } from '../../../local/declarations.ts'
import { Stale } from '../../../src/http/publishing.ts'
import {
  eachDue,
  eachDueApart,
  eachDueAtOnce,
  eachDueInTurns,
  eachDueSet,
  runJobs,
} from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'

let told: MockInstance<typeof console.error>
beforeEach(() => {
  told = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const messages = () => told.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)

/** A job over `count` rows: finished rows are no longer due, rows put off are not due for now. */
function backlog(count: number, failures: Record<string, number> = {}) {
  const waiting = Array.from({ length: count }, (_, at) => ({ tenantId: 'tn_demo', id: String(at) }))
  const asked: number[] = []
  const away = new Set<string>()
  const db = {
    due: async (_job: string, _now: Date, limit: number) => {
      const here = waiting.filter(({ id }) => !away.has(id))
      asked.push(here.length)
      return here.slice(0, limit)
    },
    call: async (text: string, [job, , tenants, ids]: string[]) => {
      expect([text.includes('door.back_off'), job]).toEqual([true, 'job'])
      const list = ids!.slice(1, -1).split(',')
      expect(tenants).toBe(`{${list.map(() => 'tn_demo').join(',')}}`)
      for (const id of list) {
        away.add(id)
        failures[id] = (failures[id] ?? 0) + 1
      }
      return JSON.stringify(Object.fromEntries(list.map((id) => [id, failures[id]])))
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
  eachDue({ services, requestId: 'req_test', now: new Date() }, 'job', (_call, id) => work(id))

test('a backlog of several batches is worked off in one run', async () => {
  const { services, waiting, asked, finish } = backlog(250)
  await run(services, async (id) => finish(id))
  expect(waiting).toEqual([])
  expect(asked).toEqual([250, 150, 50])
})

describe('at once', () => {
  /** How many items were in work at most, in all and of one tenant, and in which order they began. */
  async function worked(
    tenants: readonly string[],
    each: typeof eachDue,
    callHelpers?: (job: string, helpers: number) => void,
  ) {
    const { services, waiting, finish } = backlog(tenants.length)
    waiting.forEach((row, at) => {
      row.tenantId = `tn_${tenants[at]}`
    })
    const inWork: string[] = []
    const begun: string[] = []
    let [most, mostOfOne] = [0, 0]
    const job = { services, requestId: 'req_test', now: new Date(), ...(callHelpers && { callHelpers }) }
    await each(job, 'job', async ({ tenantId }, id) => {
      begun.push(tenantId.slice(3))
      inWork.push(tenantId)
      most = Math.max(most, inWork.length)
      mostOfOne = Math.max(mostOfOne, inWork.filter((of) => of === tenantId).length)
      await new Promise((resolve) => setTimeout(resolve, 1))
      inWork.splice(inWork.indexOf(tenantId), 1)
      finish(id)
    })
    expect(waiting).toEqual([])
    return { most, mostOfOne, begun: begun.join('') }
  }
  const many = [...'aaaaaaaaaaaabc']

  test('five tenants, each item behind the one before of its tenant', async () => {
    expect(await worked([...'abcdefgabcdefg'], eachDue)).toMatchObject({ most: 5, mostOfOne: 1 })
    expect(await worked(many, eachDue)).toMatchObject({
      most: 3,
      mostOfOne: 1,
      begun: expect.stringMatching(/^abc/),
    })
  })

  test('five of one tenant, where its items do not wait for one another', async () => {
    expect(await worked([...'aaaaaaaa'], eachDueApart)).toMatchObject({ most: 5, mostOfOne: 5 })
  })

  test('a tenant with little to do is not behind one with much', async () => {
    const { begun } = await worked(many, eachDueApart)
    expect([...begun].slice(0, 3)).toEqual(['a', 'b', 'c'])
  })

  test('help is called once, to a backlog, for a job that leases its rows', async () => {
    const called: unknown[] = []
    const call = (...args: unknown[]) => void called.push(args)
    const leased: typeof eachDue = (run, job, work) => eachDueApart(run, job, work, 2)
    await worked(Array(99).fill('a'), leased, call)
    await worked(Array(300).fill('a'), eachDueApart, call)
    await worked(Array(300).fill('a'), leased)
    expect(called).toEqual([])
    await worked(Array(300).fill('a'), leased, call)
    expect(called).toEqual([['job', 2]])
  })
})

test('small sets go five at once, begun in their order; only what could not be done is put off', async () => {
  const failures: Record<string, number> = {}
  const { services, asked, finish } = backlog(120, failures)
  const begun: string[] = []
  let [under, most] = [0, 0]
  const job = { services, requestId: 'req_test', now: new Date() }
  await eachDueAtOnce(job, 'job', async (_call, ids) => {
    begun.push(...ids)
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setTimeout(resolve, 1))
    under -= 1
    for (const id of ids) if (id !== '7') finish(id)
    return ids.includes('7') ? new Map([['7', new Error('cannot')]]) : new Map()
  })
  expect(begun).toEqual(Array.from({ length: 120 }, (_, at) => String(at)))
  expect([most, asked, failures]).toEqual([5, [120, 20], { 7: 1 }])
  expect(messages().map(({ id }) => id)).toEqual(['7'])
})

test('long work goes in turns, until nothing is left; what fails is put off and delays no other', async () => {
  const failures = {}
  const { services } = backlog(3, failures)
  const steps: string[] = []
  await eachDueInTurns({ services, requestId: 'req_test', now: new Date() }, 'job', async (_call, id) => {
    steps.push(id)
    if (id === '1') throw new Error('cannot')
    return steps.filter((step) => step === id).length < (id === '0' ? 3 : 2)
  })
  expect(steps).toEqual(['0', '1', '2', '0', '2', '0'])
  expect(failures).toEqual({ 1: 1 })
})

test('long work ends with its time; the next run goes on', async () => {
  vi.useFakeTimers()
  const { services } = backlog(2)
  const steps: string[] = []
  await eachDueInTurns({ services, requestId: 'req_test', now: new Date() }, 'job', async (_call, id) => {
    steps.push(id)
    vi.advanceTimersByTime(7_000)
    return true
  })
  vi.useRealTimers()
  expect(steps).toEqual(['0', '1', '0'])
})

test('a failing row is logged with its failure count, is put off, and delays no other row', async () => {
  const { services, waiting, finish } = backlog(130, { 1: 4 })
  await run(services, async (id) => {
    if (Number(id) < 3) throw new Error('cannot')
    finish(id)
  })
  expect(waiting.map(({ id }) => id)).toEqual(['0', '1', '2'])
  expect(messages().map(({ id, failures, code }) => [id, failures, code])).toEqual([
    ['0', 1, 'Error'],
    ['1', 5, 'Error'],
    ['2', 1, 'Error'],
  ])
})

test('more than a batch that fails wholly does not end the run', async () => {
  const { services, waiting, asked, finish } = backlog(230)
  await run(services, async (id) => {
    if (Number(id) < 220) throw new Error('cannot')
    finish(id)
  })
  expect(asked).toEqual([230, 130, 30])
  expect(waiting).toHaveLength(220)
  expect(told).toHaveBeenCalledTimes(220)
})

test('a version conflict is logged only when it keeps coming back', async () => {
  const { services } = backlog(3, { 2: 2 })
  await run(services, async () => {
    throw new Stale()
  })
  expect(messages().map(({ id, failures }) => [id, failures])).toEqual([['2', 3]])
})

test('work that changes nothing is tried once, not until the time is over', async () => {
  const { services, asked, finish } = backlog(150)
  const done: string[] = []
  await run(services, async (id) => {
    done.push(id)
    if (Number(id) >= 100) finish(id)
  })
  expect(asked).toEqual([150, 150, 50])
  expect(done).toHaveLength(150)
  expect(messages()).toHaveLength(100)
  expect(messages()[0]).toMatchObject({ id: '0', what: 'still due after it was done' })
})

test('when a row cannot be put off, the run ends and says so', async () => {
  const { services, asked } = backlog(300)
  services.db.call = async () => {
    throw new Error('away')
  }
  await expect(
    run(services, async () => {
      throw new Error('cannot')
    }),
  ).rejects.toThrow('away')
  expect([asked.length, told.mock.calls.length]).toEqual([1, 100])
})

describe('sets', () => {
  const runSets = (services: Services, work: (ids: readonly string[]) => Promise<void>) =>
    eachDueSet({ services, requestId: 'req_test', now: new Date() }, 'job', (_call, ids) => work(ids))

  test('what is due is done five hundred at a time', async () => {
    const { services, waiting, finish } = backlog(2_300)
    const sizes: number[] = []
    await runSets(services, async (ids) => {
      sizes.push(ids.length)
      ids.forEach(finish)
    })
    expect([sizes, waiting]).toEqual([[500, 500, 500, 500, 300], []])
  })

  test('of one tenant each', async () => {
    const { services, waiting, finish } = backlog(6)
    waiting.forEach((row, at) => {
      row.tenantId = at % 2 === 0 ? 'tn_even' : 'tn_odd'
    })
    const sets: (readonly string[])[] = []
    await runSets(services, async (ids) => {
      sets.push(ids)
      ids.forEach(finish)
    })
    expect(sets).toEqual([
      ['0', '2', '4'],
      ['1', '3', '5'],
    ])
  })

  test('refused rows are found and put off, all others are done', async () => {
    const { services, waiting, finish } = backlog(40)
    await runSets(services, async (ids) => {
      if (ids.includes('7') || ids.includes('31')) throw new Error('cannot')
      ids.forEach(finish)
    })
    expect(waiting.map(({ id }) => id)).toEqual(['7', '31'])
    expect(messages().map(({ id }) => id)).toEqual(['7', '31'])
  })

  test('when all rows of a fetch fail, the rest have their turn', async () => {
    const { services, waiting, asked, finish } = backlog(2_010)
    await runSets(services, async (ids) => {
      if (ids.some((id) => Number(id) < 2_005)) throw new Error('cannot')
      ids.forEach(finish)
    })
    expect([asked, waiting.length, told.mock.calls.length]).toEqual([[2_010, 10], 2_005, 2_005])
  })

  test('a database that does not answer is asked once for a set, not for each of its parts', async () => {
    const { services, waiting } = backlog(40)
    let asked = 0
    await runSets(services, async () => {
      asked++
      throw new OutcomeUnknown('silent')
    })
    expect([asked, waiting.length, told.mock.calls.length]).toEqual([1, 40, 40])
  })
})

test('what moves money runs before what is slow', () => {
  const order = jobs.map(([job]) => job)
  const quick = ['attempts', 'refunds', 'payouts', 'disputes', 'transfers', 'funds', 'payout_settings']
  const slow = [
    'pushed_attempts',
    'payment_links',
    'checkout_sessions',
    'webhook_history',
    'identity',
    'webhooks',
  ]
  const at = (job: string) => order.indexOf(job)
  expect(quick.concat(slow).map(at)).not.toContain(-1)
  expect(Math.max(...quick.map(at))).toBeLessThan(Math.min(...slow.map(at)))
})

describe('a run', () => {
  /** Runs the jobs one to four. `waiting`: what the database answers, in turn; `work`: what a job does beside nothing. */
  async function ran(
    waiting: readonly (readonly string[] | null | Error)[],
    work: Record<string, () => unknown> = {},
  ) {
    const log: string[] = []
    const answers = [...waiting]
    const call = async (signature: string) => {
      expect(signature).toBe('door.waiting_jobs(timestamptz)')
      log.push('?')
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer === null ? null : JSON.stringify(answer)
    }
    const names = ['one', 'two', 'three', 'four']
    const job = (name: string) => async () => {
      log.push(name)
      return work[name]?.()
    }
    const made = Object.fromEntries(names.map((name) => [name, job(name)]))
    const services = { db: { call } } as unknown as Services
    await runJobs({ services, requestId: 'req_test', now: new Date() }, made, undefined)
    return log.join(' ')
  }
  const fails = () => {
    throw new Error('cannot')
  }

  test.each<[what: string, run: string, ...Parameters<typeof ran>]>([
    ['asks once when nothing is due', '?', [null]],
    ['starts what is due, and asks what that gave the others to do', '? two ? four', [['two'], ['four']]],
    ['does not go back to an earlier job', '? three ?', [['three'], ['one', 'two', 'three']]],
    ['does not ask behind the last job', '? four', [['four']]],
    [
      'does not ask behind a job that gives no work',
      '? one two ?',
      [['one', 'two'], null],
      { one: () => false },
    ],
    ['goes on behind a job that fails', '? one ? two ?', [['one', 'two'], ['two'], null], { one: fails }],
    [
      'starts all when the database does not say',
      '? one two three four',
      [new Error('away')],
      { two: fails },
    ],
    ['starts the rest when the database no longer says', '? two ? three four', [['two'], new Error('away')]],
  ])('%s', async (_what, run, waiting, work) => {
    expect(await ran(waiting, work)).toBe(run)
    const failed = waiting.some((answer) => answer instanceof Error) ? ['waiting_jobs'] : []
    const thrown = Object.entries(work ?? {}).flatMap(([job, done]) => (done === fails ? [job] : []))
    expect(messages().map(({ place }) => place)).toEqual([...failed, ...thrown])
  })
})
