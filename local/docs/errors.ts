import { type ProblemCode, type ProblemType, typeOf } from '../../src/http/problems.ts'
import { errorCodes, errors } from '../declarations.ts'
import { exampleOf } from '../openapi/errors.ts'
import { page } from './page.ts'
import { block, escaped } from './text.ts'

const types: Readonly<Record<ProblemType, string>> = {
  invalid_request_error: 'The request must change',
  authentication_error: 'Who is calling is not clear',
  permission_error: 'Known, but not allowed',
  not_found_error: 'Not there, or not yours',
  conflict_error: 'Not in the present state',
  rate_limit_error: 'Too fast',
  payment_error: 'The payment failed',
  api_error: 'On our side',
}

/** `/docs/errors`: a section for every code, at the anchor that `doc_url` of an error names. */
export function errorsPage(): string {
  const chapters = Object.entries(types).flatMap(([type, meaning]) => {
    const here = errorCodes.filter((code) => typeOf(errors[code].status) === type)
    return here.length === 0 ? [] : [{ type, meaning, here }]
  })
  return page({
    title: 'Errors',
    at: '/docs/errors',
    body: `<main class="prose">
<h1>Errors</h1>
<p>Every error has one shape. Branch on <code>code</code>; <code>message</code> is for people and may change. <code>param</code> names the field or header at fault, <code>details</code> every one of them. Quote <code>request_id</code> when you ask about a request.</p>
${block('An error', example)}
<nav aria-label="Kinds of error"><ul>
${chapters.map(({ type, meaning }) => `<li><a href="#${type}"><code>${type}</code></a>: ${meaning}</li>`).join('\n')}
</ul></nav>
${chapters.map(({ type, meaning, here }) => `<section aria-labelledby="${type}">\n<h2 id="${type}">${meaning} <code>${type}</code></h2>\n${here.map(entry).join('\n')}\n</section>`).join('\n')}
</main>`,
  })
}

const entry = (code: ProblemCode) => `<article id="${code}">
<h3><a href="#${code}"><code>${code}</code></a> <span class="status">${errors[code].status}</span></h3>
<p>${escaped(errors[code].message)}</p>
<p class="advice"><strong>What to do:</strong> ${escaped(errors[code].advice)}</p>
</article>`

const { message } = errors.parameter_missing
const details = [{ param: 'currency', code: 'parameter_missing' as const, message }]
const example = JSON.stringify(exampleOf('parameter_missing', { param: 'currency', details }), null, 2)
