/** The parts of the documentation, in the order of the navigation. */
const parts = {
  '/docs': 'API reference',
  '/docs/events': 'Events',
  '/docs/guides': 'Guides',
  '/docs/errors': 'Errors',
}

type Parts = {
  readonly title: string
  /** The part that it belongs to. */
  readonly at: keyof typeof parts
  readonly body: string
  readonly script?: string
}

/** The frame of a documentation page. Everything it needs comes from our own origin. */
export function page({ title, at, body, script }: Parts): string {
  const links = Object.entries(parts).map(
    ([path, name]) => `<a href="${path}"${path === at ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Spindle</title>
<link rel="icon" href="/assets/spindle.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<header class="top"><span class="brand">Spindle</span>
<nav aria-label="Documentation">${links.join(' ')} <a href="/openapi.json">openapi.json</a></nav>
</header>
${body}
${script ? `<script type="module" src="${script}"></script>\n` : ''}</body>
</html>
`
}

/**
 * A field that leaves what has its words: of the page, or of the list at `index`. The script shows it, since without one
 * it does nothing.
 */
export const findBox = (label: string, index = '') =>
  `<p class="find" hidden><label for="find">${label}</label> <input type="search" id="find"${index && ` data-index="${index}"`} autocomplete="off" spellcheck="false"> <output for="find"></output></p>`
