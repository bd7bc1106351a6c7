import type { Document, Parameter, Shape } from './document.ts'
import { boundsOf, type Plain, partsOf, plainOf, typeOf } from './shapes.ts'
import { escaped, phrase } from './text.ts'

/** `sent`: what a caller writes, where a field is required or not; `read`: what a reply has, mostly all of it. */
export type Side = 'sent' | 'read'

type At = { readonly side: Side; readonly depth: number; readonly openTo: number }

/** The fields of a value as a list; those of nested objects in `<details>`, open for the first `openTo` levels. */
export function fieldsOf(document: Document, shape: Shape, side: Side, openTo = 1): string {
  const plain = plainOf(document, shape)
  const [only, ...others] = partsOf(document, plain)
  // What a list or a choice adds to the fields stands before them.
  if (only && others.length === 0 && only.about === '')
    return listOf(document, only.of, { side, depth: 0, openTo })
  return aboutValue(document, plain, { side, depth: 0, openTo })
}

function listOf(document: Document, { properties = {}, required = [] }: Plain, at: At): string {
  const rows = Object.entries(properties).map(([name, shape]) => {
    const isRequired = required.includes(name)
    const mark = at.side === 'sent' ? (isRequired ? needed : '') : isRequired ? '' : absent
    const plain = plainOf(document, shape)
    return row(name, `${typeOf(document, plain)}${mark}`, aboutValue(document, plain, at))
  })
  return `<dl class="fields">\n${rows.join('\n')}\n</dl>`
}

const needed = ' <b>required</b>'
const absent = ' <i>may be absent</i>'

const row = (name: string, type: string, about: string) =>
  `<div><dt><code>${escaped(name)}</code> <span>${type}</span></dt><dd>${about}</dd></div>`

function aboutValue(document: Document, plain: Plain, at: At): string {
  const bounds = boundsOf(document, plain)
  const said = plain.description === undefined ? '' : `<p>${phrase(plain.description)}</p>`
  const bound = bounds.length === 0 ? '' : `<div class="bounds">${bounds.join(' · ')}</div>`
  const parts = partsOf(document, plain).map(({ about, of }) => {
    const count = Object.keys(of.properties ?? {}).length
    const summary = `${count} ${count === 1 ? 'field' : 'fields'}${about === '' ? '' : ` of ${about}`}`
    const open = at.depth < at.openTo ? ' open' : ''
    return `<details${open}><summary>${summary}</summary>${listOf(document, of, { ...at, depth: at.depth + 1 })}</details>`
  })
  return `${said}${bound}${parts.join('')}`
}

/** Parameters of a request, as its fields are shown. */
export function parametersOf(document: Document, parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, required, description, schema, example }) => {
    const plain = { ...plainOf(document, schema), description }
    const given =
      example === undefined ? '' : `<div class="bounds">for instance ${phrase(`\`${example}\``)}</div>`
    const about = `${aboutValue(document, plain, { side: 'sent', depth: 0, openTo: 1 })}${given}`
    return row(name, `${typeOf(document, plain)}${required ? needed : ''}`, about)
  })
  return `<dl class="fields">\n${rows.join('\n')}\n</dl>`
}
