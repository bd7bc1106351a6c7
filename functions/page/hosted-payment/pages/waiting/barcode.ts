import { raw } from 'hono/html'
import { CODE128 } from 'jsbarcode/bin/barcodes/CODE128/index.js'
import type { Html } from '../frame/view.ts'

/** White modules on both sides, without which no scanner finds the bars (ISO/IEC 15417). */
const quiet = 10
const height = 48

/** Code 128 of digits as an SVG that scales to its container; black on white in dark mode too. */
export function barcode(digits: string, label: string): Html {
  if (!/^\d{1,40}$/.test(digits)) throw new RangeError('a voucher is scanned by its digits')
  const { data } = new CODE128(digits, {}).encode()
  const bars = [...data.matchAll(/1+/g)].map(
    ({ index, 0: bar }) => `M${quiet + index} 0h${bar.length}v${height}h-${bar.length}z`,
  )
  const width = data.length + 2 * quiet
  return raw(
    `<svg class="barcode" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" shape-rendering="crispEdges" role="img" aria-label="${label}"><path fill="#fff" d="M0 0h${width}v${height}h-${width}z"/><path d="${bars.join('')}"/></svg>`,
  )
}
