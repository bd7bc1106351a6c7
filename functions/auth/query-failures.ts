import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * better-auth swallows some database errors (a lost connection while it looks up a session reads as "signed out").
 * Every query passes here, so that the caller can tell "no" from "could not ask".
 */

const failures = new AsyncLocalStorage<{ first: unknown }>()

export type FailedQuery = { readonly sqlState: string | null; readonly constraint: string | null }

export type Tracked<T> = {
  readonly outcome: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }
  /** The first query that failed meanwhile, even if the library caught the error. */
  readonly failedQuery: FailedQuery | null
}

/** Runs `work` and returns its outcome and its first failed query. Never throws. */
export async function withQueryFailures<T>(work: () => Promise<T>): Promise<Tracked<T>> {
  const seen: { first: unknown } = { first: null }
  const outcome = await failures.run(seen, () =>
    work().then(
      (value) => ({ ok: true, value }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    ),
  )
  return { outcome, failedQuery: seen.first === null ? null : describe(seen.first) }
}

/** Understands the platform's refusals (`sqlState`) and the driver's own errors (`code`). */
function describe(error: unknown) {
  const fields = error as { sqlState?: unknown; code?: unknown; constraint?: unknown }
  const sqlState = fields.sqlState ?? fields.code
  return {
    sqlState: typeof sqlState === 'string' && /^[0-9A-Z]{5}$/.test(sqlState) ? sqlState : null,
    constraint: typeof fields.constraint === 'string' ? fields.constraint : null,
  }
}

/** The same function; it notes its failures when it runs under `withQueryFailures`. */
export function noteFailures<Call extends unknown[], T>(
  query: (...call: Call) => PromiseLike<T>,
): (...call: Call) => Promise<T> {
  return async (...call) => {
    try {
      return await query(...call)
    } catch (error) {
      const seen = failures.getStore()
      if (seen) seen.first ??= error
      throw error
    }
  }
}
