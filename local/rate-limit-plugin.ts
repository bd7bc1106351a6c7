import type { ParsedWorkerOptions } from 'miniflare'

// Cloudflare counts rate limits in the memory of the machine that runs the Worker. Miniflare's stand-in asks a Durable
// Object backed by SQLite, inside the same process, for every request: that costs more than the rest of the request,
// and far more than the real binding. This plugin keeps the counters in the Worker's own isolate.

const MODULE = 'spindle-internal:rate-limit'
const TYPE = 'unsafe:rate-limit'

/** The counter as a module of workerd: its default export makes the binding. */
export const SOURCE = `
class RateLimit {
  #limit; #periodMs; #window = 0; #counts = new Map()
  constructor({ limit, period }) { this.#limit = limit; this.#periodMs = period * 1000 }
  async limit({ key }) {
    const window = Math.floor(Date.now() / this.#periodMs)
    if (window !== this.#window) { this.#window = window; this.#counts.clear() }
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#limit) return { success: false }
    this.#counts.set(key, count + 1)
    return { success: true }
  }
}
export default (env) => new RateLimit(env)
`

export type RateLimit = { limit: number; period: number }

/** The binding of a Worker's env that this plugin serves. */
export function rateLimitBinding({ limit, period }: RateLimit) {
  const plugin = { package: new URL(import.meta.url).pathname, name: 'rate-limit' }
  return { type: TYPE, dev: { plugin, options: { limit, period } } } as const
}

function limitsOf(options: ParsedWorkerOptions): [name: string, limit: RateLimit][] {
  return Object.entries(options.config.env ?? {}).flatMap(([name, binding]) =>
    binding.type === TYPE && 'dev' in binding
      ? [[name, (binding.dev as { options: RateLimit }).options] as [string, RateLimit]]
      : [],
  )
}

/** What Miniflare loads by this file's path. */
export const plugins = {
  'rate-limit': {
    bindingTypeDescription: 'Rate Limit',
    getBindings: (options: ParsedWorkerOptions) =>
      limitsOf(options).map(([name, limit]) => ({
        name,
        wrapped: {
          moduleName: MODULE,
          innerBindings: Object.entries(limit).map(([key, value]) => ({
            name: key,
            json: JSON.stringify(value),
          })),
        },
      })),
    getNodeBindings: () => ({}),
    getServices: async () => [],
    getExtensions: ({ options }: { options: ParsedWorkerOptions[] }) =>
      options.some((each) => limitsOf(each).length > 0)
        ? [{ modules: [{ name: MODULE, esModule: SOURCE, internal: true }] }]
        : [],
  },
}
