import { html, raw } from 'hono/html'
import { type Locale, withLocale } from '../../../../../src/kernel/locale.ts'
import { type Text, text } from '../text.ts'
import { brandMark } from './look.ts'
import type { Html, PageBase } from './view.ts'

type Content = {
  readonly title: string
  /** The text of a link preview (Open Graph), below the title; absent on pages that buyers do not share. */
  readonly preview?: string
  readonly main: Html
  /** Its heading names the merchant: the head above it has the picture alone. */
  readonly isNamed?: boolean
  /** Whose page it is, where neither a brand nor a sale says it. */
  readonly name?: string
  /** Two columns on wide screens; otherwise one narrow sheet. */
  readonly wide?: boolean
  /** File names under `/assets/`, in place of `pay.js`, which they import. */
  readonly scripts?: readonly string[]
  readonly head?: Html
  /** Replaces the language link where the page is the answer to a POST. */
  readonly languageSwitch?: Html
  /** What a script of the page reads of its main part. */
  readonly data?: Readonly<Record<string, string>>
  /** The value that a waiting page compares to notice a change. */
  readonly state?: string
}

/** The frame of every buyer page: document, test-mode banner, language switch, main landmark, footer. */
export function layout(page: PageBase, content: Content): Html {
  const words = text[page.locale]
  return html`<!doctype html>
<html lang="${page.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${content.title}</title>
${preview(page, content)}<link rel="icon" href="${favicon}">
<link rel="stylesheet" href="/assets/pay.css">
${
  page.embeddedIn
    ? html`<meta name="embedded-in" content="${page.embeddedIn.join(' ')}">
`
    : ''
}${[...(content.scripts ?? ['pay.js']), ...(page.embeddedIn ? ['framed.js'] : [])].map(
  (file) => html`<script type="module" blocking="render" src="/assets/${file}"></script>
`,
)}${
  page.shownAs?.css
    ? html`<style>${raw(page.shownAs.css)}</style>
`
    : ''
}${content.head ?? ''}</head>
<body>
<header>
<a class="skip" href="#main">${words.layout.skip}</a>
${page.testMode ? testMode(words) : ''}
<div class="bar">
<span class="mark">${head(page, content)}</span>
${content.languageSwitch ?? languageLink(page)}
</div>
</header>
<main id="main" class="${content.wide ? 'wide' : 'sheet'}"${content.state ? html` data-state="${content.state}"` : ''}${Object.entries(content.data ?? {}).map(([name, value]) => html` data-${name}="${value}"`)}>
${content.main}
</main>
<footer>${mark}${words.layout.poweredBy}</footer>
</body>
</html>`
}

/** Whose page it is: the merchant's where it names one. */
function head({ shownAs, payee }: PageBase, { isNamed = false, name: own }: Content): Html {
  if (shownAs?.logo) return brandMark(shownAs)
  const name = shownAs?.name ?? payee?.name ?? own
  if (name === undefined) return html`${mark}Spindle`
  return html`<span class="avatar" aria-hidden="true">${initial(name)}</span>${isNamed ? '' : foreign(name)}`
}

/** For a message that contains the address: https://ogp.me; messengers draw no SVG. */
function preview({ address, shownAs, locale, payee }: PageBase, { title, preview: detail }: Content): Html {
  if (detail === undefined) return raw('')
  const logo = shownAs?.logo && shownAs.logo.content_type !== 'image/svg+xml' ? shownAs.logo : null
  const site = shownAs?.name ?? payee?.name
  return html`<meta name="description" content="${detail}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${detail}">
<meta property="og:locale" content="${locale === 'en' ? 'en_US' : 'es_MX'}">
${
  site
    ? html`<meta property="og:site_name" content="${site}">
`
    : ''
}${
  logo && address
    ? html`<meta property="og:image" content="${address}/logos/${logo.address}">
<meta property="og:image:width" content="${logo.width}">
<meta property="og:image:height" content="${logo.height}">
`
    : ''
}<meta name="twitter:card" content="summary">
`
}

export function otherLocale(locale: Locale): Locale {
  return locale === 'en' ? 'es-MX' : 'en'
}

/** Hidden fields of a form, one per entry. */
export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )}`
}

/** Text that came from a merchant: isolated, so that right-to-left marks in it cannot reorder ours. */
export function foreign(value: string): Html {
  return html`<bdi>${value}</bdi>`
}

/** One of our sentences with the merchant's name isolated inside it. */
export function sentence(build: (name: string) => string, name: string): Html {
  const [before = '', after] = build('\u0000').split('\u0000', 2)
  return after === undefined ? html`${before}` : html`${before}${foreign(name)}${after}`
}

/** A message about the submitted form: read out, and focused by the browser when the page opens. */
export function alertBox(message: string): Html {
  return html`<p class="alert" role="alert" tabindex="-1" autofocus>${message}</p>`
}

/** The errors of the submitted form, each with a link to its field; read out and focused likewise. */
export function errorSummary(
  heading: string,
  wrong: readonly (readonly [id: string, message: string])[],
): Html {
  return html`<div class="alert" role="alert" tabindex="-1" autofocus><p>${heading}</p>
<ul>
${wrong.map(
  ([id, message]) => html`<li><a href="#${id}">${message}</a></li>
`,
)}</ul></div>`
}

function testMode(words: Text): Html {
  return html`<p class="test-mode"><strong>${words.layout.testMode}.</strong> ${words.layout.testModeDetail}</p>`
}

function languageLink(page: PageBase): Html {
  const other = otherLocale(page.locale)
  return html`<a class="language" href="${withLocale(page.path, other)}" hreflang="${other}" lang="${other}">${text[page.locale].layout.switchLanguage}</a>`
}

const threads = 'M12 1v22M6 7c4 3 8 3 12 0M4.5 12c5 3.5 10 3.5 15 0M6 17c4 3 8 3 12 0'

const mark = raw(
  `<svg class="logo" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${threads}"/></svg>`,
)

/** In the page, so that it costs no request. */
const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0d6a5f" stroke-width="2.2" stroke-linecap="round"><path d="${threads}"/></svg>`,
)}`

const iconPaths = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17M12 8v4.5l3 1.8',
  bank: 'M4 10l8-5 8 5M6 10v7M10 10v7M14 10v7M18 10v7M4 19h16',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17M12 11v5M12 8v.01',
  pause: 'M9 6.5v11M15 6.5v11',
} as const

export type IconName = keyof typeof iconPaths
export type Tone = 'good' | 'bad' | 'calm'

/** A round decorative icon; the heading beside it says the same in words. */
export function icon(name: IconName, tone: Tone): Html {
  return html`<span class="icon ${tone}" aria-hidden="true"><svg viewBox="0 0 24 24" width="28" height="28"><path d="${iconPaths[name]}"/></svg></span>`
}

/** A letter in place of a logo. */
function initial(name: string): string {
  const [first] = new Intl.Segmenter('es', { granularity: 'grapheme' }).segment(name.trim())
  return first ? first.segment.toLocaleUpperCase('es') : ''
}
