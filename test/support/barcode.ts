import {
  BinaryBitmap,
  Code128Reader,
  GlobalHistogramBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library'

/** A grey picture: one byte per pixel, 0 is black. */
export type Picture = { pixels: Uint8ClampedArray; width: number; height: number }

/** Reads a Code 128 picture as a scanner does. Throws when it reads nothing. */
export function scan({ pixels, width, height }: Picture): string {
  const source = new RGBLuminanceSource(pixels, width, height)
  return new Code128Reader().decode(new BinaryBitmap(new GlobalHistogramBinarizer(source))).getText()
}

/** Reads a QR code as a phone does. Throws when it reads nothing. */
export function scanQr({ pixels, width, height }: Picture): string {
  const source = new RGBLuminanceSource(pixels, width, height)
  return new QRCodeReader().decode(new BinaryBitmap(new GlobalHistogramBinarizer(source))).getText()
}

/** Draws the modules of one of our QR codes, at `scale` pixels each. */
export function drawnQr(svg: string, scale: number): Picture {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)![1])
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width).fill(255)
  for (const [, x, y, run] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      pixels.fill(0, row * width + Number(x) * scale, row * width + (Number(x) + Number(run)) * scale)
  return { pixels, width, height: width }
}

/** Draws the bars of one of our barcodes, at `scale` pixels per module. */
export function drawn(svg: string, scale: number): Picture {
  const [, modules, rows] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
  const [width, height] = [modules! * scale, rows! * scale]
  const pixels = new Uint8ClampedArray(width * height).fill(255)
  for (const [, x, bar, tall] of svg.matchAll(/M(\d+) 0h(\d+)v(\d+)h-\2z/g)) {
    if (Number(x) === 0) continue // the white background
    for (let row = 0; row < Number(tall) * scale; row++) {
      pixels.fill(0, row * width + Number(x) * scale, row * width + (Number(x) + Number(bar)) * scale)
    }
  }
  return { pixels, width, height }
}
