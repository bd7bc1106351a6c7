type Parts = { readonly title: string; readonly script: string | null; readonly body: string }

/** The frame of a documentation page. Everything it needs comes from our own origin. */
export function page({ title, script, body }: Parts): string {
  const here = (path: string) =>
    path === (script ? '/docs' : title === 'Errors' ? '/docs/errors' : '/docs/guides')
  const link = (path: string, text: string) =>
    `<a href="${path}"${here(path) ? ' aria-current="page"' : ''}>${text}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Spindle</title>
<link rel="icon" href="/assets/spindle.svg" type="image/svg+xml">
${script ? '<link rel="stylesheet" href="/docs/swagger-ui.css">\n' : ''}<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<header class="top"><span class="brand">Spindle</span>
<nav aria-label="Documentation">${link('/docs', 'API reference')} ${link('/docs/guides', 'Guides')} ${link('/docs/errors', 'Errors')} <a href="/openapi.json">openapi.json</a></nav>
</header>
${body}
${script ? `<script src="/docs/swagger-ui-bundle.js"></script>\n<script src="${script}"></script>\n` : ''}</body>
</html>
`
}
