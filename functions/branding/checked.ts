import type { Logo } from '../../src/kernel/look.ts'
import { type Refusal, refuse } from '../../src/kernel/plan.ts'

type LogoError =
  | 'logo_empty'
  | 'logo_too_large'
  | 'logo_type_unsupported'
  | 'logo_malformed'
  | 'logo_dimensions_refused'
  | 'logo_unsafe'

/** An image with nothing in it but what is drawn. */
export interface Image extends Pick<Logo, 'content_type' | 'width' | 'height'> {
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type Checked = Image | Refusal<LogoError>

export const logoBytesMax = 256 * 1024
const [sidePxMin, sidePxMax, sidesRatioMax] = [16, 2_048, 10]

export const malformed = (message?: string) =>
  refuse('logo_malformed', { param: 'content', ...(message ? { message } : {}) })

/** The refusal of pixels that are too few or too many, or of a strip. */
export function outOfBounds(width: number, height: number): Refusal<'logo_dimensions_refused'> | null {
  const [shorter, longer] = width < height ? [width, height] : [height, width]
  if (shorter >= sidePxMin && longer <= sidePxMax && longer <= shorter * sidesRatioMax) return null
  return refuse('logo_dimensions_refused', {
    param: 'content',
    message: `The logo has ${width} × ${height} pixels: each side may have ${sidePxMin} to ${sidePxMax}, and at most ${sidesRatioMax} times the other.`,
  })
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
