/** A stream that may be stored: its length is known beforehand. */
declare const FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array>

declare module 'cloudflare:workers' {
  /** Keeps the current invocation alive until `work` is done, wherever in it this is called. */
  export function waitUntil(work: Promise<unknown>): void
}
