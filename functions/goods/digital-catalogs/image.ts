import { cleanJpeg } from '../../../src/kernel/images/jpeg.ts'
import { cleanPng } from '../../../src/kernel/images/png.ts'
import { type Bounds, type Raster, rasterTypeOf, type Unfit } from '../../../src/kernel/images/raster.ts'
import { cleanWebp } from '../../../src/kernel/images/webp.ts'
import { refuse } from '../../../src/kernel/plan.ts'

export const imagesMax = 8
export const imageBytesMax = 2 * 1024 * 1024
const bounds: Bounds = { what: 'The image', sidePxMin: 16, sidePxMax: 4_096, sidesRatioMax: 10 }

const cleaners = { 'image/png': cleanPng, 'image/jpeg': cleanJpeg, 'image/webp': cleanWebp }

/** Tells the type by the content, never decodes pixels, and keeps only the parts that draw. */
export function checkImage(bytes: Uint8Array<ArrayBuffer>) {
  const param = 'content'
  if (bytes.length === 0) return refuse('catalog_image_empty', { param })
  if (bytes.length > imageBytesMax) return refuse('catalog_image_too_large', { param })
  const type = rasterTypeOf(bytes)
  if (!type) return refuse('catalog_image_type_unsupported', { param })
  const cleaned: Raster | Unfit = cleaners[type](bytes, bounds)
  if (!('unfit' in cleaned)) return cleaned
  const { unfit, ...more } = cleaned
  return refuse(`catalog_image_${unfit}`, { param, ...more })
}
