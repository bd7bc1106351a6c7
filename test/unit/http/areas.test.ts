import { describe, expect, test } from 'vitest'
import { problemPage } from '../../../functions/page/hosted-payment/pages/frame/frame.ts'
import { areasSelling, sold } from '../../../src/app.ts'
import { lookup, publicIds, serve } from '../../../src/http/areas.ts'
import { patternOf } from '../../../src/http/envelope.ts'
import { Hono } from '../../../src/http/hono.ts'
import type { Env } from '../../../src/http/router.ts'
import type { Services } from '../../../src/http/services.ts'

describe('the table of areas', () => {
  const areas = areasSelling(sold)
  const all = areas.flatMap(({ at }) => at)
  const areaAt = lookup(areas)

  test('no two areas claim the same place', () => {
    expect(all.filter((path, at) => all.indexOf(path) !== at)).toEqual([])
  })

  test.each(areas)('$at: all its operations are found there', async (area) => {
    const loaded = await area.load()
    const paths =
      loaded instanceof Hono
        ? loaded.routes.map(({ path }) => path).filter((path) => !path.startsWith('/:'))
        : loaded.operations.map(({ contract }) => contract.path)
    expect(paths.filter((path) => areaAt(path) !== area)).toEqual([])
  })

  test.each(areas.filter(({ reads }) => reads))(
    '$at: what is loaded to read is of its operations, and in the way of none',
    async ({ load, reads }) => {
      const [whole, { operations: some }] = await Promise.all([load(), reads!()])
      const all = whole instanceof Hono ? [] : whole.operations
      const known = all.map(({ contract }) => `${contract.method} ${contract.path}`)
      for (const { contract } of some) expect(known).toContain(`GET ${contract.path}`)
      const patterns = some.map(({ contract }) => patternOf(contract.path))
      const hidden = all
        .filter(({ contract }) => contract.method === 'GET')
        .filter(({ contract }) => !some.some((one) => one.contract.path === contract.path))
        .filter(({ contract }) => patterns.some((pattern) => pattern.test(contract.path)))
      expect(hidden).toEqual([])
    },
  )
})

describe('where a path belongs', () => {
  const [short, long, byId, top] = ['/v1/a', '/v1/a/b', publicIds, '/top'].map((at) => ({
    at: [at],
    load: async () => ({ operations: [] }),
  }))
  const areaAt = lookup([short!, long!, byId!, top!])

  test.each([
    ['/v1/a', short],
    ['/v1/a/', short],
    ['/v1/a/c/d', short],
    ['/v1/a/b', long],
    ['/v1/a/b/c/d/e', long],
    ['/v1/a/bc', short],
    ['/kind_0123', byId],
    ['/kind_0123/more_of_it', byId],
    ['/top', top],
    ['/top/a', top],
    ['/v1', undefined],
    ['/v1/ab', undefined],
    ['/v2/a', undefined],
    ['/kind', undefined],
    ['/other_0123', byId],
    ['/v1/a_b', undefined],
    ['/', undefined],
    ['//v1/a', undefined],
    ['/v1//a', undefined],
  ])('%s', (path, area) => {
    expect(areaAt(path)).toBe(area)
  })
})

describe('an area of which a part is loaded to read', () => {
  const operationOf = (method: string, path: string) =>
    ({ contract: { id: path, method, path, access: { api_key: { scopes: [] } }, rate: 'read' } }) as never
  const list = operationOf('GET', '/v1/a')

  async function asked(...requests: readonly (readonly [method: string, path: string])[]) {
    const loads: string[] = []
    const all = [list, operationOf('POST', '/v1/a'), operationOf('GET', '/v1/a/:id/b')]
    const area = {
      at: ['/v1/a'],
      load: async () => (loads.push('all'), { operations: all }),
      reads: async () => (loads.push('reads'), { operations: [list] }),
    }
    const app = serve([area], () => ({ settings: { environment: 'sandbox' } }) as Services)
    const replies: (string | number | null)[] = []
    for (const [method, path] of requests) {
      const execution = { waitUntil: () => {}, passThroughOnException: () => {} } as never
      const reply = await app.fetch(new Request(`https://x${path}`, { method }), {}, execution)
      replies.push(reply.status, reply.headers.get('allow'))
    }
    return { loads, replies }
  }

  test.each<[string, [string, string][], string[], (number | string | null)[]]>([
    [
      'a read',
      [
        ['GET', '/v1/a'],
        ['GET', '/v1/a'],
      ],
      ['reads'],
      [401, null, 401, null],
    ],
    ['its headers', [['HEAD', '/v1/a']], ['reads'], [401, null]],
    ['a write', [['POST', '/v1/a']], ['all'], [401, null]],
    ['another read', [['GET', '/v1/a/x/b']], ['reads', 'all'], [401, null]],
    ['an address that no operation has', [['GET', '/v1/a/x']], ['reads', 'all'], [404, null]],
    ['another method', [['DELETE', '/v1/a']], ['all'], [405, 'GET, POST']],
    ['a method of another path', [['POST', '/v1/a/x/b']], ['all'], [405, 'GET']],
  ])('%s', async (_, requests, loads, replies) => {
    expect(await asked(...requests)).toEqual({ loads, replies })
  })
})

describe('an area that cannot be loaded', () => {
  const execution = { waitUntil: () => {}, passThroughOnException: () => {} } as never
  const services = { settings: { environment: 'sandbox' } } as Services

  test('is answered as a fault of ours, and is loaded again with the next request', async () => {
    let loads = 0
    const load = async () => {
      loads += 1
      if (loads === 1) throw new Error('out of memory')
      return new Hono<Env>().get('/v1/a', (c) => c.text('here'))
    }
    const app = serve([{ at: ['/v1/a'], load }], () => services)
    const ask = () =>
      app.fetch(new Request('https://x/v1/a', { headers: { 'x-request-id': 'req_12345678' } }), {}, execution)

    const failed = await ask()
    expect([failed.status, failed.headers.get('x-request-id')]).toEqual([500, 'req_12345678'])
    expect(await failed.json()).toMatchObject({ error: { code: 'internal', request_id: 'req_12345678' } })

    expect(await (await ask()).text()).toBe('here')
    await ask()
    expect(loads).toBe(2)
  })

  test('says so as a page to a person, but not on the interface', async () => {
    const load = () => Promise.reject(new Error('out of memory'))
    const app = serve(
      [{ at: ['/a', '/v1/a'], load }],
      () => services,
      async () => problemPage,
    )
    const ask = (path: string) =>
      app.fetch(
        new Request(`https://x${path}`, { headers: { accept: 'text/html', 'accept-language': 'en' } }),
        {},
        execution,
      )
    const [page, api] = [await ask('/a'), await ask('/v1/a')]
    expect([page.status, api.status]).toEqual([500, 500])
    expect(await page.text()).toContain('<title>Something went wrong on our side</title>')
    expect(page.headers.get('content-security-policy')).not.toBeNull()
    expect(await api.json()).toMatchObject({ error: { code: 'internal' } })
  })

  test('leaves the others alone', async () => {
    const app = serve(
      [
        { at: ['/v1/a'], load: () => Promise.reject(new Error('no such module')) },
        { at: ['/v1/b'], load: async () => new Hono<Env>().get('/v1/b', (c) => c.text('here')) },
      ],
      () => services,
    )
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((name) => app.fetch(new Request(`https://x/v1/${name}`), {}, execution)),
    )
    expect([a!.status, b!.status, c!.status]).toEqual([500, 200, 404])
  })
})
