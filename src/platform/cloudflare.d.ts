declare module 'cloudflare:workers' {
  /** Keeps the current invocation alive until `work` is done, wherever in it this is called. */
  export function waitUntil(work: Promise<unknown>): void
}
