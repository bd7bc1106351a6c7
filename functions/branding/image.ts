import { refuse } from '../../src/kernel/plan.ts'
import { type Checked, logoBytesMax } from './checked.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng } from './png.ts'
import { cleanSvg } from './svg.ts'

/** Tells the type by the content, never decodes pixels, and keeps only the parts that draw. */
export function checkLogo(bytes: Uint8Array<ArrayBuffer>): Checked {
  if (bytes.length === 0) return refuse('logo_empty', { param: 'content' })
  if (bytes.length > logoBytesMax) return refuse('logo_too_large', { param: 'content' })
  if (beginsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return cleanPng(bytes)
  if (beginsWith(bytes, [0xff, 0xd8, 0xff])) return cleanJpeg(bytes)
  return cleanSvg(bytes)
}

const beginsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, at) => bytes[at] === byte)
