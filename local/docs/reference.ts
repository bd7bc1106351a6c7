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
    ['docs.html', indexPage(document, start!, basics, areas)],
    ['docs/basics.html', basicsPage(basics.join(''))],
    ...all.map((placed): [string, string] => [
      `docs/operations/${placed.operation.operationId}.html`,
      operationPage(document, placed, areas.get(placed.operation.tags[0])!),
    ]),
    ...eventFiles(document),
  ])
}

type Areas = ReadonlyMap<string, readonly Placed[]>

/** `/docs`: how to begin, and every operation by area. */
function indexPage(document: Document, start: string, basics: readonly string[], areas: Areas): string {
  const [intro] = document.info.description.split('\n\n')
  const titles = basics.map((each) => /^## (.+)$/m.exec(each)![1]!)
  const body = `<main class="prose reference">
<h1>API reference</h1>
<p>${phrase(intro!)}</p>
${markdown.parse(start, { async: false })}
<p>Examples are written for a shell in which <code>BASE</code> is the environment’s base address, <code>KEY</code> an API key and <code>SESSION</code> the token of a customer session.</p>
<h2 id="basics">What all operations have in common</h2>
<ul class="across">
${titles.map((title) => `<li><a href="/docs/basics#${anchorOf(title)}">${title}</a></li>`).join('\n')}
<li><a href="/docs/events">Events</a></li>
<li><a href="/docs/errors">All error codes</a></li>
</ul>
<h2 id="areas">Areas</h2>
${findBox('Find an operation')}
<ul class="across">
${document.tags.map(({ name }) => `<li><a href="#${anchorOf(name)}">${escaped(name)}</a></li>`).join('\n')}
</ul>
${document.tags.map(({ name, description }) => areaOf(name, description, areas.get(name) ?? [])).join('\n')}
</main>`
  return page({ title: 'API reference', at: '/docs', body, script: '/docs/find.js' })
}

const areaOf = (name: string, description: string, operations: readonly Placed[]) =>
  `<section class="area" aria-labelledby="${anchorOf(name)}"><h3 id="${anchorOf(name)}">${escaped(name)}</h3>
<p>${phrase(description)}</p>
<ul>
${operations.map(({ method, path, operation: { operationId, summary } }) => `<li><a href="/docs/operations/${operationId}">${escaped(summary)}</a> <b>${method}</b> ${code(path)}</li>`).join('\n')}
</ul></section>`

/** `/docs/basics`: what is true of every operation. */
function basicsPage(text: string): string {
  const body = `<main class="prose">
<h1>What all operations have in common</h1>
${markdown.parse(text, { async: false })}</main>`
  return page({ title: 'What all operations have in common', at: '/docs', body })
}
