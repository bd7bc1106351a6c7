export type RasterType = 'image/png' | 'image/jpeg' | 'image/webp'

/** An image with nothing in it but what is drawn. */
export interface Raster<Type extends string = RasterType> {
  readonly content_type: Type
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Why bytes are not served as an image. */
export interface Unfit {
  readonly unfit: 'malformed' | 'dimensions_refused' | 'type_unsupported'
  readonly message?: string
}

export const malformed = (message?: string): Unfit => ({
  unfit: 'malformed',
  ...(message ? { message } : {}),
})

/** How many pixels an image may have. */
export interface Bounds {
  /** What the refusal calls it: `The logo`. */
  readonly what: string
  readonly sidePxMin: number
  readonly sidePxMax: number
  readonly sidesRatioMax: number
}

/** The refusal of pixels that are too few or too many, or of a strip. */
export function outOfBounds(width: number, height: number, bounds: Bounds): Unfit | null {
  const { what, sidePxMin, sidePxMax, sidesRatioMax } = bounds
  const [shorter, longer] = width < height ? [width, height] : [height, width]
  if (shorter >= sidePxMin && longer <= sidePxMax && longer <= shorter * sidesRatioMax) return null
  return {
    unfit: 'dimensions_refused',
    message: `${what} has ${width} × ${height} pixels: each side may have ${sidePxMin} to ${sidePxMax}, and at most ${sidesRatioMax} times the other.`,
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const asciiAt = (bytes: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** The type that the first bytes say; null for every other. */
export function rasterTypeOf(bytes: Uint8Array): RasterType | null {
  if (asciiAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (asciiAt(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  return asciiAt(bytes, 0) === 'RIFF' && asciiAt(bytes, 8) === 'WEBP' ? 'image/webp' : null
}
