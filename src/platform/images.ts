import type { Images } from '../env/settings.ts'
import type { StoredFile } from './files.ts'

/** The widths in pixels that an image is offered in, beside its own. */
export const imageWidths = [320, 640, 1280] as const

const timeoutMs = 5_000
const canResize = /^image\/(png|jpeg|webp)$/

/** The bytes of an image as WebP, at most `width` pixels wide; null where the service fails, is late or refuses it. */
export async function resized(
  images: Images,
  { body, contentType }: Pick<StoredFile, 'body' | 'contentType'>,
  width: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!canResize.test(contentType)) return null
  const work = async () => {
    const drawn = images.input(body).transform({ width, fit: 'scale-down' })
    const response = (await drawn.output({ format: 'image/webp' })).response()
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null)
  })
  return Promise.race([work().catch(() => null), late]).finally(() => clearTimeout(timer))
}
