import type { Locale } from '../../../../src/kernel/locale.ts'

/** A part of a picture, as XML. */
export class Drawing {
  readonly xml: string

  constructor(xml: string) {
    this.xml = xml
  }
}

type Part = string | number | Drawing | readonly Part[]

/** A template of a picture: texts and numbers in it are escaped, and parts stand as they are. */
export const svg = (strings: TemplateStringsArray, ...parts: readonly Part[]): Drawing =>
  new Drawing(
    strings.map((text, index) => text + (index < parts.length ? written(parts[index]!) : '')).join(''),
  )

function written(part: Part): string {
  if (part instanceof Drawing) return part.xml
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The picture's width; its height is what it needs. */
export const width = 720

/** Dark on light, or light on dark where the reader prefers that. What a color says, a form or a word says too. */
const style = new Drawing(`<style>
svg{--ink:#1c2422;--soft:#55605c;--line:#d5dad7;--mark:#0d6a5f;--page:#fff;font:13px system-ui,sans-serif;background:var(--page)}
@media(prefers-color-scheme:dark){svg{--ink:#eef2f0;--soft:#a9b4af;--line:#3a4340;--mark:#2f9c8c;--page:#151b19}}
text{fill:var(--ink)}.soft{fill:var(--soft)}.title{font-size:17px;font-weight:600}.end{text-anchor:end}.mid{text-anchor:middle}
.axis{stroke:var(--line)}.bar{fill:var(--mark)}.range{stroke:var(--ink);stroke-width:1.5;fill:none}
.band{fill:var(--mark);opacity:.22}.likely{stroke:var(--mark);stroke-width:2;stroke-dasharray:5 4;fill:none}.day{stroke:var(--soft);stroke-dasharray:2 3}
</style>`)

interface Framed {
  readonly locale: Locale
  readonly height: number
  readonly title: string
  /** What the picture shows, in words. */
  readonly detail: string
  readonly drawing: Drawing
}

/** An SVG document of its own: https://www.w3.org/TR/SVG2. Screen readers read its title and its description. */
export const framed = ({ locale, height, title, detail, drawing }: Framed): string =>
  svg`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" lang="${locale}" role="img" aria-labelledby="title detail">
<title id="title">${title}</title>
<desc id="detail">${detail}</desc>
${style}
<rect width="100%" height="100%" fill="var(--page)"/>
<text class="title" x="16" y="30">${title}</text>
<text class="soft" x="16" y="50">${detail}</text>
${drawing}
</svg>
`.xml

/** A coordinate, to a hundredth of a pixel. */
export const at = (position: number): string => String(Math.round(position * 100) / 100)
