import { SaxesParser, type SaxesTagNS } from 'saxes'
import { Fault } from '../../../src/kernel/fault.ts'
import { escaped } from '../../../src/kernel/markup.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { type Checked, logoBytesMax, refusedAs } from './checked.ts'

/*
 * An SVG is read by an XML parser and rebuilt from what it may have: no byte of the upload passes by itself. What
 * could run, load or refer to anything else is refused by name, since a logo without it would look different. What
 * draws nothing (metadata, an editor's own elements and attributes, comments) is left out.
 */

const words = (text: string) => new Set(text.split(/\s+/))

const elements = words(
  `svg g defs path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath
   mask style`,
)
/** They draw nothing. */
const leftOut = words('title desc metadata')
const withText = words('text tspan style')

const attributes = words(
  `id class d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy rotate width height points viewBox preserveAspectRatio
   transform gradientUnits gradientTransform spreadMethod offset clipPathUnits maskUnits maskContentUnits textLength
   lengthAdjust fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset stroke-opacity opacity color stop-color stop-opacity clip-path clip-rule mask
   mask-type display visibility font-family font-size font-weight font-style text-anchor letter-spacing word-spacing
   dominant-baseline vector-effect paint-order mix-blend-mode isolation style`,
)

const svgSpace = 'http://www.w3.org/2000/svg'
const htmlSpace = 'http://www.w3.org/1999/xhtml'
const [elementsMax, depthMax, shownSidePx, sidesRatioMax] = [2_000, 32, 512, 10]

class Unsafe extends Error {}

export function cleanSvg(bytes: Uint8Array<ArrayBuffer>): Checked {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('logo_type_unsupported', { param: 'content' })
  }
  if (!/^\s*</.test(text)) return refuse('logo_type_unsupported', { param: 'content' })
  const writing = new Writing()
  try {
    read(text, writing)
  } catch (error) {
    if (error instanceof Unsafe) return refuse('logo_unsafe', { param: 'content', message: error.message })
    // No SVG has begun.
    return writing.text === ''
      ? refuse('logo_type_unsupported', { param: 'content' })
      : refusedAs({ unfit: 'malformed' })
  }
  if (!writing.size)
    return refuse('logo_dimensions_refused', {
      param: 'content',
      message: `The SVG needs a viewBox, or a width and a height, of which neither is more than ${sidesRatioMax} times the other.`,
    })
  const cleaned = new TextEncoder().encode(writing.text)
  if (cleaned.length > logoBytesMax) return refuse('logo_too_large', { param: 'content' })
  const [width, height] = writing.size
  return { content_type: 'image/svg+xml', width, height, bytes: cleaned }
}

function read(text: string, writing: Writing): void {
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Unsafe('The SVG has a DOCTYPE, which may declare entities: remove it.')
  })
  parser.on('processinginstruction', ({ target }) => {
    if (/stylesheet/i.test(target)) throw new Unsafe('The SVG imports a style sheet.')
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^utf-8$/i.test(encoding)) throw new Fault('an SVG in another encoding')
  })
  parser.on('opentag', (tag) => writing.open(tag))
  parser.on('closetag', (tag) => writing.close(tag))
  parser.on('text', (content) => writing.content(content))
  parser.on('cdata', (content) => writing.content(content))
  parser.write(text).close()
}

class Writing {
  text = ''
  size: readonly [width: number, height: number] | null = null
  readonly #open: string[] = []
  #count = 0
  /** How deep inside an element that is left out. */
  #without = 0
  #css = ''

  open({ local, uri, attributes: given }: SaxesTagNS): void {
    if (this.text === '' && (uri !== svgSpace || local !== 'svg')) throw new Fault('no SVG')
    this.#count += 1
    if (this.#count > elementsMax) throw new Unsafe(`The SVG has more than ${elementsMax} elements.`)
    if (this.#open.length + this.#without >= depthMax) throw new Unsafe('The SVG is nested too deeply.')
    if (uri === htmlSpace) throw new Unsafe(`The SVG contains HTML: <${local}>.`)
    const isDrawn = uri === svgSpace && !leftOut.has(local)
    if (uri === svgSpace && isDrawn && (!elements.has(local) || (local === 'svg' && this.#open.length > 0)))
      throw new Unsafe(`The SVG has a <${local.slice(0, 40)}>, which a logo may not have.`)
    if (this.#without > 0 || !isDrawn) {
      this.#without += 1
      return
    }
    const isWithin = this.#open.some((name) => name === 'mask' || name === 'clipPath')
    const own = Object.values(given).flatMap(({ local: name, uri: space, value }) =>
      attributeOf({ element: local, name, space, value: value.trim(), isWithin }),
    )
    if (this.#open.length === 0) this.#root(new Map(own))
    else this.text += `<${local}${written(own)}>`
    this.#open.push(local)
  }

  close({ local }: SaxesTagNS): void {
    if (this.#without > 0) {
      this.#without -= 1
      return
    }
    if (local === 'style') {
      this.text += escaped(styleSheet(this.#css))
      this.#css = ''
    }
    this.text += `</${local}>`
    this.#open.pop()
  }

  content(text: string): void {
    const within = this.#open.at(-1) ?? ''
    if (this.#without > 0 || !withText.has(within)) return
    if (within === 'style') this.#css += text
    else this.text += escaped(text)
  }

  #root(given: Map<string, string>): void {
    const box = given
      .get('viewBox')
      ?.split(/[\s,]+/)
      .map(Number) ?? [0, 0, px(given, 'width'), px(given, 'height')]
    const [x = 0, y = 0, width = 0, height = 0] = box
    for (const name of ['viewBox', 'width', 'height']) given.delete(name)
    const longer = Math.max(width, height)
    if (
      box.length === 4 &&
      box.every(Number.isFinite) &&
      Math.min(width, height) * sidesRatioMax >= longer &&
      longer > 0
    )
      // Divided first: a huge box times pixels may be more than any number.
      this.size = [Math.round((width / longer) * shownSidePx), Math.round((height / longer) * shownSidePx)]
    const [shownWidth, shownHeight] = this.size ?? [0, 0]
    const sized: [string, string][] = [
      ['viewBox', `${x} ${y} ${width} ${height}`],
      ['width', String(shownWidth)],
      ['height', String(shownHeight)],
      ...given,
    ]
    this.text += `<svg xmlns="${svgSpace}"${written(sized)}>`
  }
}

const px = (given: Map<string, string>, name: string) =>
  Number(/^(\d+(?:\.\d+)?)(?:px)?$/.exec(given.get(name) ?? '')?.[1] ?? Number.NaN)

interface Given {
  readonly element: string
  readonly name: string
  readonly space: string
  readonly value: string
  /** Inside a mask or clip path. */
  readonly isWithin: boolean
}

/** The attribute as it is written; none where it is left out. */
function attributeOf({ element, name, space, value, isWithin }: Given): [string, string][] {
  if (/^on/i.test(name)) throw new Unsafe(`The SVG has the handler ${name.slice(0, 40)}.`)
  if (name === 'href' && (space === '' || space === 'http://www.w3.org/1999/xlink')) {
    if (/Gradient$/.test(element) && /^#[\w.-]+$/.test(value)) return [['href', value]]
    throw new Unsafe('The SVG refers to something else by href.')
  }
  if (space !== '' || !attributes.has(name)) return []
  if (name === 'id' || name === 'class') return /^[\w .-]+$/.test(value) ? [[name, value]] : []
  if (name === 'style') return [[name, declarations(value, isWithin)]]
  if (/[\\<]|javascript:/i.test(value)) throw new Unsafe(`The SVG’s ${name} has an unusual value.`)
  checkFunctions(name, value, isWithin)
  return [[name, value]]
}

const functions = words(
  'rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy',
)

/** Of all functions only those that name a color or move a shape, and url() of the SVG's own parts. */
function checkFunctions(property: string, value: string, isWithin: boolean): void {
  for (const before of value.split('(').slice(0, -1)) {
    const name = nameAtEnd(before.trimEnd())
    if (functions.has(name.toLowerCase())) continue
    if (name.toLowerCase() !== 'url') throw new Unsafe(`The SVG uses ${name.slice(0, 40)}().`)
    if (!/^url\(\s*(['"]?)#[\w.-]+\1\s*\)(\s+[\w#.]+)*$/i.test(value))
      throw new Unsafe('The SVG loads something by url().')
    // Masks within masks multiply what a browser has to draw.
    if (/^(mask|clip-path)$/.test(property) && isWithin) throw new Unsafe('The SVG has a mask within a mask.')
    if (!/^(fill|stroke|mask|clip-path)$/.test(property))
      throw new Unsafe(`The SVG’s ${property} uses url().`)
  }
}

/** By steps: a regular expression for it looks at every letter of a long name once for each of them. */
function nameAtEnd(text: string): string {
  let at = text.length
  while (at > 0 && /[\w-]/.test(text[at - 1]!)) at -= 1
  return text.slice(at)
}

function declarations(css: string, isWithin: boolean): string {
  if (/[\\<@{}]|\/\*|javascript:|expression/i.test(css)) throw new Unsafe('The SVG has an unusual style.')
  return css
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
      const value = declaration.slice(colon + 1).trim()
      if (value === '' || !attributes.has(property)) return []
      checkFunctions(property, value, isWithin)
      return [`${property}:${value}`]
    })
    .join(';')
}

const unusualStyle = () => new Unsafe('The SVG has an unusual style.')

/** Rules of plain selectors. A class may be anywhere, so masks stand in attributes. */
function styleSheet(css: string): string {
  const plain = withoutComments(css)
  if (/@/.test(plain)) throw new Unsafe('The SVG’s style imports or declares with @.')
  const rules = plain.split('}')
  if (rules.pop()!.trim() !== '') throw unusualStyle()
  return rules
    .map((rule) => {
      const [selector = '', body, ...more] = rule.split('{')
      if (body === undefined || more.length > 0 || !/^[\w\s.,#>:*-]+$/.test(selector)) throw unusualStyle()
      return `${selector.trim()}{${declarations(body, true)}}`
    })
    .join('')
}

function withoutComments(css: string): string {
  let plain = ''
  let at = 0
  for (let begin = css.indexOf('/*'); begin !== -1; begin = css.indexOf('/*', at)) {
    const end = css.indexOf('*/', begin + 2)
    if (end === -1) throw unusualStyle()
    plain += css.slice(at, begin)
    at = end + 2
  }
  return plain + css.slice(at)
}

const written = (given: Iterable<readonly [string, string]>): string =>
  [...given].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
