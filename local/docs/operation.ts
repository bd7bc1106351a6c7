import { ratePolicies } from '../../src/http/stages/rate-limit.ts'
import { errors } from '../declarations.ts'
import { written } from '../openapi.ts'
import {
  type Content,
  type Document,
  type Operation,
  type Parameter,
  type Reply,
  referred,
} from './document.ts'
import { fieldsOf, parametersOf } from './fields.ts'
import { page } from './page.ts'
import { anchorOf, block, code, escaped, paragraphs, phrase } from './text.ts'

export type Placed = { readonly method: string; readonly path: string; readonly operation: Operation }

/** The columns of an example. */
const lineMax = 72

/** `/docs/operations/<operationId>`: all that a caller of one operation has to know. `area`: the operations beside it. */
export function operationPage(document: Document, placed: Placed, area: readonly Placed[]): string {
  const { method, path, operation } = placed
  const [tag] = operation.tags
  const parameters = operation.parameters.map((each) => referred<Parameter>(document, each))
  const [about, who] = split(operation.description)
  const kinds = [
    ['path', 'Path parameters'],
    ['query', 'Query parameters'],
    ['header', 'Headers'],
  ] as const
  const body = `<main class="prose reference">
<nav aria-label="Breadcrumb"><a href="/docs">API reference</a> › <a href="/docs/areas/${anchorOf(tag)}">${escaped(tag)}</a></nav>
<h1>${escaped(operation.summary)}</h1>
<p class="call"><b>${method}</b> ${code(path)}</p>
<p class="name">Operation ${code(operation.operationId)}</p>
${paragraphs(about)}
${section('Who may call', `${paragraphs(who)}\n${rateOf(operation)}`)}
${section('Example', block('A call with curl', curl(placed, parameters)))}
${kinds.map(([where, title]) => ofKind(document, title, parameters, where)).join('')}
${Object.entries(operation.requestBody?.content ?? {})
  .map(([type, content]) =>
    section('Body', `<p>${code(type)}</p>\n${fieldsOf(document, content.schema, 'sent')}`),
  )
  .join('\n')}
${section('Reply', repliesOf(document, operation))}
${section('Errors', `<p>All have <a href="/docs/errors">one shape</a>. This operation answers:</p>\n${errorsOf(document, operation)}`)}
</main>
<nav class="aside" aria-label="${escaped(tag)}"><p>${escaped(tag)}</p>
<ul>
${area.map(({ operation: { operationId, summary } }) => `<li><a href="/docs/operations/${operationId}"${operationId === operation.operationId ? ' aria-current="page"' : ''}>${escaped(summary)}</a></li>`).join('\n')}
</ul></nav>`
  return page({ title: escaped(operation.summary), at: '/docs', body: `<div class="columns">${body}</div>` })
}

export const section = (title: string, body: string) =>
  `<section aria-labelledby="${anchorOf(title)}">\n<h2 id="${anchorOf(title)}">${title}</h2>\n${body}\n</section>`

/** How the document says who may call: each kind of caller, the proof, and where the operation exists. */
const access =
  /^(?:Takes (?:an API key|the session|a customer session|no credential|the `two_factor_token`|the credential of|the pairing code)|Needs a step-up proof|Exists in the sandbox only)/

function split(description: string): [about: string, who: string] {
  const parts = description.split('\n\n')
  return [
    parts.filter((each) => !access.test(each)).join('\n\n'),
    parts.filter((each) => access.test(each)).join('\n\n'),
  ]
}

function rateOf({ 'x-spindle-rate': rate }: Operation): string {
  const { limit } = ratePolicies[rate as keyof typeof ratePolicies]
  return `<p>At most ${limit} requests a minute of the kind ${code(rate!)}: see <a href="/docs/basics#rate-limits">rate limits</a>.</p>`
}

function ofKind(document: Document, title: string, all: readonly Parameter[], where: string): string {
  const here = all.filter((each) => each.in === where)
  return here.length === 0 ? '' : `${section(title, parametersOf(document, here))}\n`
}

/** The variable that holds what each scheme takes. */
const bearers: Readonly<Record<string, string>> = {
  apiKey: '$KEY',
  customerSession: '$SESSION',
  device: '$CREDENTIAL',
  pairingCode: '$CODE',
}

/** The call as a shell writes it: `BASE` and the credential are the reader’s, as is each id of the path. */
function curl({ method, path, operation }: Placed, parameters: readonly Parameter[]): string {
  const [first = {}] = operation.security
  const [scheme = ''] = Object.keys(first)
  const credential = bearers[scheme] ?? null
  const [body] = Object.entries(operation.requestBody?.content ?? {})
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, schema, example }) => `${name}=${example ?? schema.enum?.[0] ?? variable(name)}`)
  const address = `$BASE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name))}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const headers = parameters
    .filter((each) => each.in === 'header' && each.required)
    .map(({ name, example }) => `-H '${name}: ${example}'`)
  return [
    `curl ${method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `}"${address}"`,
    ...(credential === null ? [] : [`-H "Authorization: Bearer ${credential}"`]),
    ...headers,
    ...(body ? [`-H 'Content-Type: ${body[0]}'`, `--data-binary ${quoted(exampleOf(body[1].example))}`] : []),
  ].join(' \\\n  ')
}

const variable = (name: string) => `$${name.toUpperCase().replaceAll('.', '_')}`
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
export const exampleOf = (value: unknown) => (typeof value === 'string' ? value : written(value, lineMax))

function repliesOf(document: Document, { responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => status < '4')
  return good.map(([status, reply]) => replyOf(document, status, referred<Reply>(document, reply))).join('\n')
}

function replyOf(
  document: Document,
  status: string,
  { description, headers = {}, content = {} }: Reply,
): string {
  const given = Object.entries(headers).map(([name, header]) => ({
    ...referred(document, header),
    name,
    in: 'header' as const,
    required: false,
  }))
  const [body] = Object.entries(content)
  return [
    `<p><b>${status}</b>${body ? ` ${code(body[0])}` : `: ${phrase(description)}`}</p>`,
    ...(body ? [ofContent(document, body[1])] : []),
    `<details><summary>Headers of the reply ${status}</summary>\n${parametersOf(document, given)}\n</details>`,
  ].join('\n')
}

function ofContent(document: Document, { schema, example, examples = {} }: Content): string {
  const value = example ?? referred<{ value: unknown }>(document, Object.values(examples)[0]!).value
  return `${block('Example of the reply', exampleOf(value))}\n${fieldsOf(document, schema, 'read')}`
}

/** The codes of each status, each with its text and a link to its entry. */
function errorsOf(document: Document, { responses }: Operation): string {
  const rows = Object.entries(responses)
    .filter(([status]) => status >= '4')
    .map(([status, reply]) => {
      const { description, 'x-spindle-codes': codes = [] } = referred<Reply>(document, reply)
      const parts = codes.map((each) => {
        const { message } = errors[each as keyof typeof errors]
        return `<li><a href="/docs/errors#${each}">${code(each)}</a> ${escaped(message)}</li>`
      })
      return `<div><dt>${status} <span>${phrase(description.split('\n\n')[0]!)}</span></dt><dd><ul>\n${parts.join('\n')}\n</ul></dd></div>`
    })
  return `<dl class="errors">\n${rows.join('\n')}\n</dl>`
}
