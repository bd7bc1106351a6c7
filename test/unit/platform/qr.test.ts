import { expect, test } from 'vitest'
import { qrModules, qrSvg } from '../../../src/platform/qr.ts'

test('a QR code is square, and its label is a text whatever is in it', () => {
  const modules = qrModules('https://pay.example/t/x')
  expect(new Set(modules.map((row) => row.length))).toEqual(new Set([modules.length]))
  const svg = qrSvg('https://pay.example/t/x', '"><script>alert(1)</script>&')
  expect(svg).toContain('aria-label="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"')
  expect(svg).not.toContain('<script')
})
