import { type Document, type Operation, type Parameter, type Reply, referred } from './document.ts'
import { fieldsOf, parametersOf } from './fields.ts'
import { exampleOf, section } from './operation.ts'
import { findBox, page } from './page.ts'
import { block, code, escaped, paragraphs, phrase } from './text.ts'

/** `payment_link.paid` is about a `payment_link`. */
const subjectOf = (type: string) => type.slice(0, type.lastIndexOf('.'))

/** `/docs/events`, and a page of each type. */
export function eventFiles(document: Document): [file: string, text: string][] {
  const types = Object.keys(document.webhooks)
  const subjects = Map.groupBy(types, subjectOf)
  const link = (type: string, here?: string) =>
    `<a href="/docs/events/${type}"${type === here ? ' aria-current="page"' : ''}>${code(type)}</a>`
  const lists = [...subjects].map(([subject, here]) => {
    const rows = here.map((type) => `<li>${link(type)} ${phrase(document.webhooks[type]!.post.summary)}</li>`)
    return `<section class="area" aria-labelledby="${subject}"><h2 id="${subject}">${code(subject)}</h2>\n<ul>\n${rows.join('\n')}\n</ul></section>`
  })
  const body = `<main class="prose reference">
<h1>Events</h1>
<p>Every change is an event. It is sent, signed, to each <a href="/docs/operations/webhooks.create_endpoint">webhook endpoint</a> that takes its type, and <a href="/docs/operations/webhooks.list_events">can be listed</a>. <a href="/docs/guides/webhooks">Webhooks</a> explains how to verify and answer them.</p>
${findBox('Find an event')}
${lists.join('\n')}
</main>`
  return [
    ['docs/events.html', page({ title: 'Events', at: '/docs/events', body, script: '/docs/find.js' })],
    ...Object.entries(document.webhooks).map(([type, { post }]): [string, string] => {
      const beside = subjects.get(subjectOf(type))!.map((each) => `<li>${link(each, type)}</li>`)
      return [`docs/events/${type}.html`, eventPage(document, type, post, beside)]
    }),
  ]
}

function eventPage(document: Document, type: string, post: Operation, beside: readonly string[]): string {
  const parameters = post.parameters.map((each) => referred<Parameter>(document, each))
  const { schema, example } = post.requestBody!.content['application/json']!
  const answers = Object.values(post.responses).map((each) => referred<Reply>(document, each).description)
  const subject = subjectOf(type)
  const body = `<main class="prose reference">
<nav aria-label="Breadcrumb"><a href="/docs/events">Events</a> › <a href="/docs/events#${subject}">${code(subject)}</a></nav>
<h1>${code(type)}</h1>
<p>${phrase(post.summary)}</p>
${paragraphs(post.description)}
${section('Example', block('A message', exampleOf(example)))}
${section('Headers', parametersOf(document, parameters))}
${section('Message', fieldsOf(document, schema, 'read', 2))}
${section('Your answer', `<p><b>2XX</b> ${answers.map(phrase).join(' ')}</p>`)}
</main>
<nav class="aside" aria-label="Events of ${escaped(subject)}"><p>${code(subject)}</p>
<ul>
${beside.join('\n')}
</ul></nav>`
  return page({ title: type, at: '/docs/events', body: `<div class="columns">${body}</div>` })
}
