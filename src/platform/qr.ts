import { encode } from 'uqr'
import { escaped } from '../kernel/markup.ts'

/** The modules of a text as a QR code, row by row, true where dark, with the white border that scanners need. */
export const qrModules = (text: string): boolean[][] => encode(text, { ecc: 'M', border: 4 }).data

/** A QR code as an SVG that scales to its container: black on white, also in dark mode. */
export function qrSvg(text: string, label: string): string {
  const rows = qrModules(text)
  const size = rows.length
  const path = rows
    .flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
      ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('')
  return `<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="${escaped(label)}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}
