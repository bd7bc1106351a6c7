import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { Env as HonoEnv } from 'hono/types'

/**
 * Hono with the router that reads every pattern. The usual two make a table on an isolate's first request, and that
 * table's code is loaded by every isolate.
 */
export class Hono<E extends HonoEnv = HonoEnv> extends HonoBase<E> {
  constructor() {
    super({ router: new TrieRouter() })
  }
}
