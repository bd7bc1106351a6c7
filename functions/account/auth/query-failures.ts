import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * better-auth swallows some database errors (a lost connection while it looks up a session reads as "signed out").
 * Every query passes here, so that the caller can tell "no" from "could not ask".
 */

const failures = new AsyncLocalStorage<{ first: unknown }>()

export type FailedQuery = { readonly sqlState: string | null; readonly constraint: string | null }

/**
 * Runs `work`. Where one of its queries failed, it throws what `problemOf` makes of the first, whatever the library made
 * of it; `problemOf` gets what `work` threw too.
 */
export async function withQueryFailures<T>(
  work: () => Promise<T>,
  problemOf: (failed: FailedQuery, thrown: unknown) => Error,
): Promise<T> {
  const seen: { first: unknown } = { first: null }
  const [outcome] = await Promise.allSettled([failures.run(seen, work)])
  if (seen.first !== null)
    throw problemOf(describe(seen.first), outcome.status === 'rejected' ? outcome.reason : null)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
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
