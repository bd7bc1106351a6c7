import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../local/declarations.ts'
import type { Document, Parameter, Reply, Shape } from '../../../local/docs/document.ts'
import { referred } from '../../../local/docs/document.ts'
import { errorsPage } from '../../../local/docs/errors.ts'
import { fieldsOf } from '../../../local/docs/fields.ts'
import { guideFiles } from '../../../local/docs/guides.ts'
import { referenceFiles } from '../../../local/docs/reference.ts'
import { anchorOf, escaped } from '../../../local/docs/text.ts'
import { openapi } from '../../../local/openapi.ts'

const document = openapi() as unknown as Document
const files = referenceFiles(document)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase(),
    page: files.get(`docs/operations/${operation.operationId}.html`) ?? '',
  })),
)
const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
  ...post,
  type,
  page: files.get(`docs/events/${type}.html`) ?? '',
}))

/** The names of all fields of a schema, at every depth. */
function namesOf(shape: Shape): string[] {
  const {
    $ref,
    properties = {},
    items,
    additionalProperties: values,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = shape
  return [
    ...Object.keys(properties),
    ...[
      ...Object.values(properties),
      ...($ref === undefined ? [] : [referred<Shape>(document, { $ref })]),
      ...(items ? [items] : []),
      ...(typeof values === 'object' ? [values] : []),
      ...anyOf,
      ...oneOf,
      ...allOf,
    ].flatMap(namesOf),
  ]
}

const missingIn = (page: string, words: readonly string[]) =>
  [...new Set(words)].filter((word) => !page.includes(`<code>${word}</code>`))

describe('the API reference', () => {
  test('every operation has its page, with its path and who may call it', () => {
    expect(operations.length).toBeGreaterThan(290)
    for (const { page, path, operationId, method, summary, ...told } of operations) {
      expect(page, operationId).toContain(`<p class="call"><b>${method}</b> <code>${path}</code></p>`)
      const who = page.split('<h2 id="who-may-call">')[1]!.split('</section>')[0]!
      expect(who, operationId).toMatch(
        /Takes (?:an API key|the session|a customer session|no credential|the )/,
      )
      const scopes = (told as { 'x-spindle-scopes'?: string[] })['x-spindle-scopes'] ?? []
      expect(missingIn(who, scopes), operationId).toEqual([])
    }
  })

  test('an operation’s page has every parameter, every field that is sent and read, and every error code', () => {
    for (const { page, operationId, parameters, requestBody, responses } of operations) {
      const replies = Object.values(responses).map((each) => referred<Reply>(document, each))
      const contents = [
        ...Object.values(requestBody?.content ?? {}),
        ...Object.entries(responses).flatMap(([status, reply]) =>
          status < '4' ? Object.values(referred<Reply>(document, reply).content ?? {}) : [],
        ),
      ]
      const words = [
        ...parameters.map((each) => referred<Parameter>(document, each).name),
        ...contents.flatMap(({ schema }) => namesOf(schema)),
      ]
      expect(missingIn(page, words), operationId).toEqual([])
      const codes = replies.flatMap((each) => each['x-spindle-codes'] ?? [])
      expect(codes.length, operationId).toBeGreaterThan(3)
      const unlinked = codes.filter((each) => !page.includes(`<a href="/docs/errors#${each}">`))
      expect(unlinked, operationId).toEqual([])
    }
  })

  test('every event has its page, with every field of its message', () => {
    expect(events.length).toBeGreaterThan(150)
    for (const { page, type, requestBody } of events) {
      expect(page, type).toContain(`<h1><code>${type}</code></h1>`)
      expect(missingIn(page, namesOf(requestBody!.content['application/json']!.schema)), type).toEqual([])
    }
  })

  test('every operation and event is linked, and every link of a page leads to a page and an anchor', () => {
    const areas = document.tags.map(({ name }) => ({ name, file: `areas/${anchorOf(name)}` }))
    const index = files.get('docs.html')!
    expect(areas.filter(({ file }) => !index.includes(`href="/docs/${file}"`))).toEqual([])
    const lists = new Map(areas.map(({ name, file }) => [name, files.get(`docs/${file}.html`)!]))
    const unlinked = operations.filter(
      ({ operationId, method, path, tags, summary }) =>
        !lists
          .get(tags[0])!
          .includes(
            `<a href="/docs/operations/${operationId}">${escaped(summary)}</a> <b>${method}</b> <code>${path}</code>`,
          ),
    )
    expect(unlinked.map(({ operationId }) => operationId)).toEqual([])
    expect(JSON.parse(files.get('docs/operations.json')!)).toEqual(
      operations.map(({ operationId, method, path, tags, summary }) => [
        tags[0],
        operationId,
        summary,
        method,
        path,
      ]),
    )
    const list = files.get('docs/events.html')!
    expect(events.filter(({ type }) => !list.includes(`href="/docs/events/${type}"`))).toEqual([])
    const pages = new Map([
      ...files,
      ...[...guideFiles()].map(([name, text]): [string, string] => [`docs/${name}`, text]),
      ['docs/errors.html', errorsPage()],
    ])
    const links = new Set(
      [...files].flatMap(([file, html]) =>
        [...html.matchAll(/href="(\/docs)?([^"#]*)(?:#([^"]*))?"/g)].flatMap(([, docs, path, anchor]) =>
          docs ? [`docs${path}.html#${anchor ?? ''}`] : path === '' ? [`${file}#${anchor}`] : [],
        ),
      ),
    )
    links.delete('docs/docs.css.html#')
    const dead = [...links].filter((link) => {
      const [file, anchor] = link.split('#') as [string, string]
      return anchor === '' ? !pages.has(file) : !pages.get(file)?.includes(` id="${anchor}"`)
    })
    expect(dead).toEqual([])
    expect(errorCodes.filter((each) => !links.has(`docs/errors.html#${each}`)).length).toBeLessThan(20)
  })

  test('a page is small enough for a phone: 64 KB without compression', () => {
    const pages = [...files].filter(([file]) => file.endsWith('.html'))
    const sizes = pages.map(([file, html]) => ({ file, bytes: Buffer.byteLength(html) }))
    expect(sizes.filter(({ bytes }) => bytes > 64_000)).toEqual([])
  })
})

describe('a field', () => {
  const shown = (shape: Shape, required = ['a']) =>
    fieldsOf(document, { type: 'object', properties: { a: shape }, required }, 'sent')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()

  test.each<[string, Shape, string]>([
    ['a length', { type: 'string', minLength: 1, maxLength: 40 }, 'a string required 1 to 40 characters'],
    ['one bound', { type: 'integer', minimum: 3 }, 'a integer required at least 3'],
    [
      'null',
      { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] },
      'a string or null required at most 1 character',
    ],
    ['null in a type', { type: ['integer', 'null'] }, 'a integer or null required'],
    ['values', { enum: ['x', 2], description: 'D.' }, 'a string required D. one of x , 2'],
    ['a constant', { const: true }, 'a boolean required always true'],
    ['a default', { type: 'boolean', default: false }, 'a boolean required false when left out'],
    [
      'a list',
      { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', format: 'email' } },
      'a list of strings required at least 1 item · all different · each email',
    ],
    [
      'two patterns',
      { type: 'string', allOf: [{ pattern: '^[^\\u0000-\\u001f\\u007f]*$' }, { pattern: '^x+$' }] },
      'a string required no control characters · pattern ^x+$',
    ],
    [
      'a map',
      {
        type: 'object',
        propertyNames: { pattern: '^[a-z]{3}$' },
        additionalProperties: { type: 'integer', maximum: 9 },
      },
      'a object required names: pattern ^[a-z]{3}$ · values: at most 9',
    ],
    [
      'an object in a list',
      { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } },
      'a list of objects required 1 field of each item b string',
    ],
    [
      'forms',
      {
        oneOf: [
          { type: 'object', properties: { t: { const: 'x' } }, required: ['t'] },
          { type: 'object', properties: { u: { type: 'string' } }, required: ['u'] },
        ],
      },
      'a object required 1 field of t x t string required always x 1 field of the form with u u string required',
    ],
    [
      'a text with marks of HTML',
      { description: 'Below `a<b` & "c".' },
      'a anything required Below a&lt;b &amp; &quot;c&quot;.',
    ],
  ])('with %s', (_what, shape, text) => expect(shown(shape)).toBe(text))

  test('that may be left out is not marked; in a reply that one is', () => {
    expect(shown({ type: 'string' }, [])).toBe('a string')
    const read = fieldsOf(document, { properties: { a: {} }, required: [] }, 'read')
    expect(read).toContain('may be absent')
  })

  test('follows a reference, and refuses one that leads nowhere', () => {
    expect(shown({ $ref: '#/components/schemas/EventType', description: 'Mine.' })).toMatch(
      /Mine\. one of \d/,
    )
    expect(() => shown({ $ref: '#/components/schemas/Nothing' })).toThrow('no #/components/schemas/Nothing')
  })
})
