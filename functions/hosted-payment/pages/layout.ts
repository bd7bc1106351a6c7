import { html, raw } from 'hono/html'
import { type Locale, withLocale } from '../../../src/kernel/locale.ts'
import { brandMark } from './look.ts'
import { type Text, text } from './text.ts'
import type { Html, PageBase } from './view.ts'

type Content = {
  readonly title: string
  readonly main: Html
  /** Two columns on wide screens; otherwise one narrow sheet. */
  readonly wide?: boolean
  /** File names under `/assets/`, after `pay.js`. */
  readonly scripts?: readonly string[]
  readonly head?: Html
  /** Replaces the language link where the page is the answer to a POST. */
  readonly languageSwitch?: Html
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
<title>${content.title}</title>
<link rel="icon" href="/assets/spindle.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/pay.css">
${['pay.js', ...(content.scripts ?? [])].map(
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
<span class="mark">${page.shownAs ? brandMark(page.shownAs) : html`${mark}Spindle`}</span>
${content.languageSwitch ?? languageLink(page)}
</div>
</header>
<main id="main" class="${content.wide ? 'wide' : 'sheet'}"${content.state ? html` data-state="${content.state}"` : ''}>
${content.main}
</main>
<footer>${words.layout.poweredBy}</footer>
</body>
</html>`
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
  const [before = '', after = ''] = build('\u0000').split('\u0000', 2)
  return html`${before}${foreign(name)}${after}`
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

const mark = raw(
  '<svg class="logo" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12 1v22M6 7c4 3 8 3 12 0M4.5 12c5 3.5 10 3.5 15 0M6 17c4 3 8 3 12 0"/></svg>',
)

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
