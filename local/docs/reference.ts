import type { Document } from './document.ts'
import { eventFiles } from './events.ts'
import { markdown } from './guides.ts'
import { operationPage, type Placed } from './operation.ts'
import { findBox, page } from './page.ts'
import { anchorOf, code, escaped, phrase } from './text.ts'

/** The API reference: each file with its text, from the OpenAPI document. */
export function referenceFiles(document: Document): ReadonlyMap<string, string> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const areas = Map.groupBy(all, ({ operation: { tags } }) => tags[0])
  const [start, ...basics] = document.info.description.split(/^(?=## )/m).slice(1)
  return new Map([
    ['docs.html', indexPage(document, start!, basics)],
    ['docs/operations.json', JSON.stringify(all.map(searched))],
    ...document.tags.map(({ name, description }): [string, string] => [
      `docs/areas/${anchorOf(name)}.html`,
      areaPage(name, description, areas.get(name) ?? []),
    ]),
    ['docs/basics.html', basicsPage(basics.join(''))],
    ...all.map((placed): [string, string] => [
      `docs/operations/${placed.operation.operationId}.html`,
      operationPage(document, placed, areas.get(placed.operation.tags[0])!),
    ]),
    ...eventFiles(document),
  ])
}

/** `/docs`: how to begin, and the areas. */
function indexPage({ info, tags }: Document, start: string, basics: readonly string[]): string {
  const [intro] = info.description.split('\n\n')
  const titles = basics.map((each) => /^## (.+)$/m.exec(each)![1]!)
  const rows = tags.map(
    ({ name, description }) =>
      `<li id="${anchorOf(name)}"><a href="/docs/areas/${anchorOf(name)}">${escaped(name)}</a> ${phrase(description)}</li>`,
  )
  const body = `<main class="prose reference">
<h1>API reference</h1>
<p>${phrase(intro!)}</p>
${markdown.parse(start, { async: false })}
<p>Examples are written for a shell in which <code>BASE</code> is the environment’s base address, <code>KEY</code> an API key, <code>SESSION</code> the token of a customer session, <code>CREDENTIAL</code> that of a device and <code>CODE</code> its pairing code.</p>
<h2 id="basics">What all operations have in common</h2>
<ul class="across">
${titles.map((title) => `<li><a href="/docs/basics#${anchorOf(title)}">${title}</a></li>`).join('\n')}
<li><a href="/docs/events">Events</a></li>
<li><a href="/docs/errors">All error codes</a></li>
</ul>
<h2 id="areas">Areas</h2>
${findBox('Find an operation', '/docs/operations.json')}
<section class="area" id="found" aria-label="Found operations" hidden><ul></ul></section>
<section class="area" id="unasked" aria-labelledby="areas"><ul>
${rows.join('\n')}
</ul></section>
</main>`
  return page({ title: 'API reference', at: '/docs', body, script: '/docs/find.js' })
}

/** `/docs/areas/<area>`: the operations of one. */
const areaPage = (name: string, description: string, operations: readonly Placed[]) =>
  page({
    title: escaped(name),
    at: '/docs',
    body: `<main class="prose reference">
<nav aria-label="Breadcrumb"><a href="/docs">API reference</a></nav>
<h1>${escaped(name)}</h1>
<p>${phrase(description)}</p>
<section class="area" aria-label="Operations"><ul>
${operations.map(({ method, path, operation: { operationId, summary } }) => `<li><a href="/docs/operations/${operationId}">${escaped(summary)}</a> <b>${method}</b> ${code(path)}</li>`).join('\n')}
</ul></section>
</main>`,
  })

/** What the field of `/docs` searches: of every operation its area, id, summary, method and path. */
const searched = ({ method, path, operation: { operationId, summary, tags } }: Placed) => [
  tags[0],
  operationId,
  summary,
  method,
  path,
]

/** `/docs/basics`: what is true of every operation. */
function basicsPage(text: string): string {
  const body = `<main class="prose">
<h1>What all operations have in common</h1>
${markdown.parse(text, { async: false })}</main>`
  return page({ title: 'What all operations have in common', at: '/docs', body })
}
