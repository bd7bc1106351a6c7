import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { customType } from 'drizzle-orm/pg-core'

const held = new AsyncLocalStorage<Map<string, string>>()

/** Runs one request's work, within which digests can be turned back into the tokens that the request brought. */
export const holdingTokens = <T>(work: () => Promise<T>): Promise<T> => held.run(new Map(), work)

/**
 * better-auth would store session tokens in plain text. This column shows the database only digests and the library
 * only tokens: it hashes in rows and in conditions, and turns a digest back when this request brought the token. Other
 * sessions (of a list) keep their digest in place of a token, which opens nothing, and may be named by it in a later
 * condition (revoke).
 */
export const sessionToken = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (token) => {
    if (/^[0-9a-f]{64}$/.test(token)) return token
    const digest = createHash('sha256').update(token).digest('hex')
    held.getStore()?.set(digest, token)
    return digest
  },
  fromDriver: (digest) => held.getStore()?.get(digest) ?? digest,
})
