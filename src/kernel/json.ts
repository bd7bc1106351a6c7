/** Any JSON value. An object member may be `undefined`, which means absent, as in `JSON.stringify`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export type JsonObject = { readonly [key: string]: Json | undefined }

/** Deepest nesting this service accepts or canonicalises. */
export const maxJsonDepth = 64

/** True when no array or object in `value` lies deeper than `limit` levels. Does not recurse: safe on hostile input. */
export function withinDepth(value: Json, limit: number = maxJsonDepth): boolean {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const containers = level.filter((item) => typeof item === 'object' && item !== null)
    if (containers.length > 0 && depth >= limit) return false
    level = containers.flatMap((item) => Object.values(item) as Json[])
  }
  return true
}
