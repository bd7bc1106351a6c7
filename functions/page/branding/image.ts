import { cleanJpeg } from '../../../src/kernel/images/jpeg.ts'
import { cleanPng } from '../../../src/kernel/images/png.ts'
import { type Bounds, rasterTypeOf } from '../../../src/kernel/images/raster.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { type Checked, logoBytesMax, refusedAs } from './checked.ts'
import { cleanSvg } from './svg.ts'

const bounds: Bounds = { what: 'The logo', sidePxMin: 16, sidePxMax: 2_048, sidesRatioMax: 10 }

/** Tells the type by the content, never decodes pixels, and keeps only the parts that draw. */
export function checkLogo(bytes: Uint8Array<ArrayBuffer>): Checked {
  if (bytes.length === 0) return refuse('logo_empty', { param: 'content' })
  if (bytes.length > logoBytesMax) return refuse('logo_too_large', { param: 'content' })
  const type = rasterTypeOf(bytes)
  if (type !== 'image/png' && type !== 'image/jpeg') return cleanSvg(bytes)
  const cleaned = (type === 'image/png' ? cleanPng : cleanJpeg)(bytes, bounds)
  return 'unfit' in cleaned ? refusedAs(cleaned) : cleaned
}
