import type { Logo } from '../../../../../src/kernel/look.ts'
import { filesIn } from '../../../../../src/platform/files.ts'
import { logFailure } from '../../../../../src/platform/log.ts'
import { hasItsPixels } from '../../../../../src/platform/png.ts'
import type { Ctx } from '../frame/frame.ts'

/** A logo that a PDF takes as it is. */
export interface PaperLogo {
  readonly bytes: Uint8Array
  readonly contentType: 'image/png' | 'image/jpeg'
}

/** A PNG is unpacked and packed again: about 0.1 s of a Worker's CPU for so many pixels. */
const pngPixelsMax = 512 * 512

/**
 * The logo of the merchant whose receipt this is. Null for a merchant without one, for an SVG, which PDFs do not draw,
 * for a PNG that is larger or not sound, for a JPEG that Exif turns, which PDFs do not do, and where the bucket fails:
 * a receipt comes without a logo rather than not at all.
 */
export async function paperLogo(c: Ctx): Promise<PaperLogo | null> {
  const logo = c.get('look')?.logo
  if (!logo || logo.content_type === 'image/svg+xml' || isLarge(logo)) return null
  try {
    const file = await filesIn(c.get('services').bucket).get(`logos/${logo.address}`)
    const bytes = file && new Uint8Array(await new Response(file.body).arrayBuffer())
    return bytes && (await canBeDrawn(bytes, logo)) ? { bytes, contentType: logo.content_type } : null
  } catch (error) {
    logFailure('receipt.logo', { requestId: c.get('requestId') })(error)
    return null
  }
}

const isLarge = ({ content_type, width, height }: Logo) =>
  content_type === 'image/png' && width * height > pngPixelsMax

/** The library would loop, or unpack a bomb, where a PNG has other pixels than its header says. */
const canBeDrawn = async (bytes: Uint8Array<ArrayBuffer>, { content_type }: Logo) =>
  content_type === 'image/png' ? hasItsPixels(bytes) : !isTurned(bytes)

/** A stored JPEG has Exif only where that turns it. */
const isTurned = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes).includes('Exif')
