import { getPath } from 'hono/utils/url'
import type { Bindings } from '../env/settings.ts'
import { accept, type ToPeople } from './envelope.ts'
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
}

/** An area's operations, or routes that are no operations of the interface. */
type Loaded = { readonly operations: readonly Operation[] } | Hono<Env>

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
  const ready = new Map<Area, Hono<Env>>()
  const nothing = accept(new Hono<Env>(), servicesOf, [], toPeople)

  async function load(area: Area): Promise<Hono<Env>> {
    try {
      const app = appOf(await area.load(), servicesOf, toPeople)
      ready.set(area, app)
      return app
    } catch (error) {
      return accept(new Hono<Env>(), servicesOf, [], toPeople).all('*', () => {
        throw error
      })
    }
  }

  return {
    async fetch(request, ...more) {
      const area = areaAt(getPath(request))
      const app = area ? (ready.get(area) ?? (await load(area))) : nothing
      const reply = await app.fetch(request, ...more)
      reply.headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
      return reply
    },
  }
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

function appOf(loaded: Loaded, servicesOf: (env: Bindings) => Services, toPeople?: ToPeople): Hono<Env> {
  const operations = loaded instanceof Hono ? [] : loaded.operations
  const routes = loaded instanceof Hono ? loaded : areaOf(...operations)
  return accept(new Hono<Env>(), servicesOf, operations, toPeople).route('/', routes)
}
