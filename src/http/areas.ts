import { getPath } from 'hono/utils/url'
import type { Bindings } from '../env/settings.ts'
import { accept, patternOf, type ToPeople } from './envelope.ts'
import { Hono } from './hono.ts'
import type { Operation } from './operation.ts'
import { area as areaOf, type Env } from './router.ts'
import type { Services } from './services.ts'

/** Paths that begin with a public id of any kind: it contains an underscore. */
export const publicIds = '/*_'

/** The routes below some path prefixes. */
export interface Area {
  /**
   * One to three parts of a path or `publicIds`. Each belongs to one area; of two that match a path, the
   * longer one wins.
   */
  readonly at: readonly string[]
  readonly load: () => Promise<Loaded>
  /** Some of its operations that only read, which load less. A path that none of them has is left to the others. */
  readonly reads?: () => Promise<Operations>
}

/** An area's operations, or routes that are no operations of the interface. */
type Loaded = Operations | Hono<Env>
type Operations = { readonly operations: readonly Operation[] }

/**
 * The areas behind one `fetch`. Each is a Hono app of its own, loaded with its first request, so that an isolate
 * compiles only what it serves and no area's routes cost another time. One that fails to load answers 500 and is loaded
 * again with the next request. Every reply tells browsers to use https for two years; on http they ignore that.
 */
export function serve(
  areas: readonly Area[],
  servicesOf: (env: Bindings) => Services,
  toPeople?: ToPeople,
): Pick<Hono<Env>, 'fetch'> {
  const areaAt = lookup(areas)
  const ready = new Map<Load, App>()
  const nothing = appOf(new Hono<Env>(), servicesOf, toPeople)

  async function load(part: Load): Promise<App> {
    const known = ready.get(part)
    if (known) return known
    try {
      const app = appOf(await part(), servicesOf, toPeople)
      ready.set(part, app)
      return app
    } catch (error) {
      const { app } = appOf(new Hono<Env>(), servicesOf, toPeople)
      app.all('*', () => {
        throw error
      })
      return { app, has: () => true }
    }
  }

  async function partFor({ load: all, reads }: Area, method: string, path: string): Promise<App> {
    if (!reads || (method !== 'GET' && method !== 'HEAD')) return load(all)
    const part = await load(reads)
    return part.has(path) ? part : load(all)
  }

  return {
    async fetch(request, ...more) {
      const path = getPath(request)
      const area = areaAt(path)
      const { app } = area ? await partFor(area, request.method, path) : nothing
      const reply = await app.fetch(request, ...more)
      reply.headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
      return reply
    },
  }
}

type Load = () => Promise<Loaded>

interface App {
  readonly app: Hono<Env>
  /** Whether one of its operations has this path. */
  readonly has: (path: string) => boolean
}

/** Finds the area that a path belongs to. */
export function lookup(areas: readonly Area[]): (path: string) => Area | undefined {
  const byBeginning = new Map(areas.flatMap((area) => area.at.map((path) => [path, area] as const)))
  return (path) => {
    const [, one = '', two, three] = path.split('/', 4)
    return (
      byBeginning.get(`/${one}/${two}/${three}`) ??
      byBeginning.get(`/${one}/${two}`) ??
      byBeginning.get(`/${one}`) ??
      (one.includes('_') ? byBeginning.get(publicIds) : undefined)
    )
  }
}

function appOf(loaded: Loaded, servicesOf: (env: Bindings) => Services, toPeople?: ToPeople): App {
  const operations = loaded instanceof Hono ? [] : loaded.operations
  const routes = loaded instanceof Hono ? loaded : areaOf(...operations)
  const app = accept(new Hono<Env>(), servicesOf, operations, toPeople)
  app.route('/', routes)
  const patterns = operations.map(({ contract }) => patternOf(contract.path))
  return { app, has: (path) => patterns.some((pattern) => pattern.test(path)) }
}
