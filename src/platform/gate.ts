/** Makes a call once one of its places is free. */
export type Gate = <T>(call: () => Promise<T>) => Promise<T>

/** As many calls at once as there are places; the others wait in their order. A time-out of a call begins with the call. */
export function gateOf(places: number): Gate {
  let free = places
  const waiting: (() => void)[] = []
  return async (call) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await call()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
