import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { logoBytesMax } from '../../../functions/page/branding/checked.ts'
import { checkLogo } from '../../../functions/page/branding/image.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { jpeg, png, svg } from '../../support/images.ts'

const check = (bytes: Buffer) => checkLogo(new Uint8Array(bytes))
const codeOf = (bytes: Buffer) => {
  const checked = check(bytes)
  return isRefusal(checked) ? checked.refused : checked.content_type
}
const cleaned = (bytes: Buffer): string => {
  const checked = check(bytes)
  if (isRefusal(checked)) throw new Error(checked.message ?? checked.refused)
  return Buffer.from(checked.bytes).toString('latin1')
}

const broken = png(64, 64)
const refused: [what: string, bytes: Buffer, code: string][] = [
  ['nothing', Buffer.alloc(0), 'logo_empty'],
  ['a byte too many', Buffer.concat([png(64, 64), Buffer.alloc(logoBytesMax)]), 'logo_too_large'],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0'), 'logo_type_unsupported'],
  ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 '), 'logo_type_unsupported'],
  ['a PDF', Buffer.from('%PDF-1.7'), 'logo_type_unsupported'],
  ['HTML', Buffer.from('<!doctype html><svg>'), 'logo_type_unsupported'],
  ['another XML', Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"/>'), 'logo_type_unsupported'],
  ['an SVG without its namespace', Buffer.from('<svg viewBox="0 0 9 9"/>'), 'logo_type_unsupported'],
  ['text in UTF-16', Buffer.from('<svg/>', 'utf16le'), 'logo_type_unsupported'],
  ['a PNG that ends in its pixels', broken.subarray(0, -30), 'logo_malformed'],
  ['a PNG without pixels', Buffer.concat([broken.subarray(0, 33), broken.subarray(-12)]), 'logo_malformed'],
  ['a PNG of nothing but its signature', broken.subarray(0, 8), 'logo_malformed'],
  ['a PNG with a chunk that must be known', png(64, 64, [['ABCD', Buffer.alloc(1)]]), 'logo_malformed'],
  ['a PNG of 60,000 × 60,000', png(60_000, 60_000), 'logo_dimensions_refused'],
  ['a PNG of 2,049 × 300', png(2_049, 300), 'logo_dimensions_refused'],
  ['a PNG of 15 × 15', png(15, 15), 'logo_dimensions_refused'],
  ['a PNG of 0 × 16', png(0, 16), 'logo_dimensions_refused'],
  ['a strip of 330 × 32', png(330, 32), 'logo_dimensions_refused'],
  ['a JPEG that is cut off', jpeg(64, 64).subarray(0, -2), 'logo_malformed'],
  ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'logo_malformed'],
  ['a JPEG of 65,535 × 65,535', jpeg(65_535, 65_535), 'logo_dimensions_refused'],
  ['a lossless JPEG', jpeg(64, 64, 0xc3), 'logo_malformed'],
  ['an SVG that is cut off', svg('<g>'), 'logo_malformed'],
  ['an SVG without a size', svg('', ''), 'logo_dimensions_refused'],
  ['an SVG of no height', svg('', 'viewBox="0 0 10 0"'), 'logo_dimensions_refused'],
  ['an SVG eleven times as wide', svg('', 'viewBox="0 0 110 10"'), 'logo_dimensions_refused'],
]
test.each(refused)('%s is refused', (_what, bytes, code) => {
  expect(codeOf(bytes)).toBe(code)
})

const xlink =
  'viewBox="0 0 9 9" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="http://www.w3.org/1999/xhtml"'
const laughs = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`
const unsafe: [what: string, bytes: Buffer][] = [
  ['a script', svg('<script>alert(1)</script>')],
  ['a script in a group', svg('<g><script href="data:,alert(1)"/></g>')],
  ['a script of another prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
  ['a handler', svg('<path onload="alert(1)" d="M0 0"/>')],
  ['a handler on the root', svg('', 'viewBox="0 0 9 9" onLoad="alert(1)"')],
  ['foreignObject', svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
  ['HTML', svg('<x:iframe src="https://a.example"/>', xlink)],
  ['an image', svg('<image href="https://a.example/x.png"/>')],
  ['an image in data:', svg('<image xlink:href="data:image/png;base64,AA"/>', xlink)],
  ['a use of another file', svg('<use href="https://a.example/#a"/>')],
  ['a use of itself, which may multiply', svg('<g id="a"><use href="#b"/></g>')],
  ['a link', svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>')],
  ['an animation', svg('<animate attributeName="href" to="javascript:alert(1)"/>')],
  ['a filter', svg('<filter id="f"><feImage href="https://a.example"/></filter>')],
  ['a gradient of another file', svg('<linearGradient id="a" xlink:href="https://a.example/#a"/>', xlink)],
  ['a fill of another file', svg('<path fill="url(https://a.example/#a)" d="M0 0"/>')],
  ['a fill in quotes', svg(`<path fill="url('https://a.example')" d="M0 0"/>`)],
  ['a style that loads', svg('<path style="fill:url(https://a.example)" d="M0 0"/>')],
  ['a style with an escape', svg('<path style="fill:\\75rl(https://a.example)" d="M0 0"/>')],
  ['an import', svg('<style>@import "https://a.example/x.css";</style>')],
  ['an import behind a comment', svg('<style>/* */@\\69mport url(//a.example)</style>')],
  ['a font', svg('<style>@font-face{font-family:a;src:url(https://a.example)}</style>')],
  ['a background of a class', svg('<style>.a{fill:image-set("https://a.example")}</style>')],
  ['a rule that is not closed', svg('<style>.a{fill:red</style>')],
  ['a declared entity', svg('<text>&b;</text>', 'viewBox="0 0 9 9"', laughs)],
  ['an outer entity', svg('', 'viewBox="0 0 9 9"', '<!DOCTYPE svg SYSTEM "file:///etc/passwd">')],
  ['a style sheet', svg('', 'viewBox="0 0 9 9"', '<?xml-stylesheet href="https://a.example"?>')],
  ['masks in masks', svg('<mask id="a"><path mask="url(#b)" d="M0 0"/></mask>')],
  ['masks in masks by style', svg('<mask id="a"><path style="mask:url(#b)" d="M0 0"/></mask>')],
  ['too many elements', svg('<g/>'.repeat(2_001))],
  ['a deep nest', svg('<g>'.repeat(40) + '</g>'.repeat(40))],
  [
    'a deep nest of what is left out',
    svg(`<metadata>${'<a:b xmlns:a="a">'.repeat(40)}${'</a:b>'.repeat(40)}</metadata>`),
  ],
]
test.each(unsafe)('an SVG with %s is refused, with a reason', (_what, bytes) => {
  const checked = check(bytes)
  expect(isRefusal(checked) && checked).toMatchObject({ refused: 'logo_unsafe', param: 'content' })
  expect(isRefusal(checked) && checked.message).toMatch(/^The SVG/)
})

const long = 40_000
test.each([
  ['an attribute without a function', svg(`<path fill="${'a'.repeat(long)}"/>`)],
  ['a declaration without a function', svg(`<path style="fill:${'a'.repeat(long)}"/>`)],
  ['a declaration of blanks', svg(`<path style="fill:a${' '.repeat(long)}b"/>`)],
  ['a style of blanks', svg(`<style>${' '.repeat(2_000)}a</style>`)],
  ['a style of comments that do not end', svg(`<style>${'/*a'.repeat(long)}</style>`)],
])('%s, however long, is read in one pass', (_what, bytes) => {
  const began = performance.now()
  check(bytes)
  // One pass takes some milliseconds, a look at each letter from each letter many seconds.
  expect(performance.now() - began).toBeLessThan(1_500)
})

test('a box of any size has a shown size', () => {
  for (const side of ['1e308', '5e-324'])
    expect(check(svg('', `viewBox="0 0 ${side} ${side}"`))).toMatchObject({ width: 512, height: 512 })
})

describe('what draws nothing is left out', () => {
  test('of a PNG: texts, places, profiles, and what follows its end', () => {
    const bomb = deflateSync(Buffer.alloc(1_000_000))
    const secret = png(64, 32, [
      ['tEXt', Buffer.from('Comment\0Laguna')],
      ['iCCP', bomb],
      ['eXIf', Buffer.from('GPS')],
    ])
    const whole = Buffer.concat([secret, Buffer.from('PK\x03\x04<script>')])
    expect(cleaned(whole)).toBe(png(64, 32).toString('latin1'))
    expect(check(whole)).toMatchObject({ content_type: 'image/png', width: 64, height: 32 })
  })

  test('of a JPEG: the place it was taken at, comments, and what follows its end', () => {
    const whole = Buffer.concat([jpeg(300, 100), Buffer.from('<script>')])
    expect(check(whole)).toMatchObject({ content_type: 'image/jpeg', width: 300, height: 100 })
    const text = cleaned(whole)
    expect(text).not.toMatch(/GPS|comment|script/)
    expect(text).toContain('\x12\xff\x00\x34\xff\xd0\x56\xff\xd9')
  })

  test('of an SVG: editors’ own, titles, comments, unknown attributes', () => {
    const drawn = svg(
      `<!-- by hand --><title>Laguna</title><metadata><r:RDF xmlns:r="r"><r:x/></r:RDF></metadata>
       <i:view xmlns:i="inkscape" i:zoom="2"/><g i:label="a" xmlns:i="inkscape" data-name="b">
       <path d="M0 0h9" fill="url(#g)" unknown="1"/></g>`,
      'width="200px" height="50" version="1.1"',
      '\ufeff<?xml version="1.0" encoding="utf-8"?>\n',
    )
    expect(cleaned(drawn)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50" width="512" height="128">' +
        '<g><path d="M0 0h9" fill="url(#g)"></path></g></svg>',
    )
  })

  test('an export of Illustrator keeps its classes, gradients, clip paths and text', () => {
    const exported = svg(
      `<style type="text/css">.st0{fill:#1D4ED8;} .st1, .st2:first-child > path { stroke : rgb(1,2,3) }</style>
       <defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient>
       <linearGradient id="b" xlink:href="#a"/><clipPath id="c"><path d="M0 0"/></clipPath></defs>
       <g clip-path="url(#c)" style="fill:url(#b);position:fixed"><text font-size="8">A &lt; B &amp; C</text></g>`,
      xlink,
    )
    const text = cleaned(exported)
    for (const part of [
      '<style>.st0{fill:#1D4ED8}.st1, .st2:first-child &gt; path{stroke:rgb(1,2,3)}</style>',
      '<linearGradient id="b" href="#a">',
      '<g clip-path="url(#c)" style="fill:url(#b)"><text font-size="8">A &lt; B &amp; C</text></g>',
    ])
      expect(text).toContain(part)
    // What was written is what would be written of it again.
    expect(cleaned(Buffer.from(text, 'latin1'))).toBe(text)
  })
})
