import type { Rule, Violation } from './layers.ts'
import { isNode, lineOf, type Node, type Source } from './source.ts'

/** A folder's name says its subject. */
export const noDrawers: Rule = (sources) =>
  sources
    .filter(({ path }) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.[a-z]+$)/.test(path))
    .map(({ path }) => ({ path, message: 'a drawer for anything: name it after what it does' }))

const passesOn = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ExportNamedDeclaration'])

/** A file that only re-exports. `api.ts` is an area's interface and may. */
export const noBarrels: Rule = (sources) =>
  sources.flatMap(({ path, body }) => {
    if (/\/api(-pure)?\.ts$/.test(path) || body.length === 0) return []
    const only = body.every((node) => passesOn.has(node.type) && !isNode(node.declaration))
    const exports = body.some((node) => node.type.startsWith('Export'))
    return only && exports ? [{ path, message: 'a barrel: import from where it is made' }] : []
  })

/** `as never` fits anywhere: it hides the mistake that it was written to silence. */
export const noAsNever: Rule = (sources) =>
  each(product(sources), (node) =>
    isCast(node) && holdsNever(node.typeAnnotation) ? 'as never: name the type' : null,
  )

/** A row's status has the type that its lifecycle declares. */
export const statusesAreTyped: Rule = (sources) =>
  each(product(sources), (node) =>
    isCast(node) && isStatus(node.expression) && !isHttp(node.typeAnnotation)
      ? 'a cast of a status: type the column'
      : null,
  )

/** Tests may give part of a thing. */
const product = (sources: readonly Source[]) => sources.filter(({ path }) => !path.startsWith('test/'))

const isCast = (node: Node) => node.type === 'TSAsExpression'

/** `problem.status as 400`: Hono wants a literal. */
const isHttp = (type: unknown) =>
  isNode(type) &&
  type.type === 'TSLiteralType' &&
  isNode(type.literal) &&
  typeof type.literal.value === 'number'

function holdsNever(type: unknown): boolean {
  if (!isNode(type)) return false
  return type.type === 'TSNeverKeyword' || (type.type === 'TSArrayType' && holdsNever(type.elementType))
}

function isStatus(value: unknown): boolean {
  if (!isNode(value)) return false
  if (value.type === 'MemberExpression') return isStatus(value.property)
  if (value.type === 'ConditionalExpression') return isStatus(value.consequent) || isStatus(value.alternate)
  return value.type === 'Identifier' && /^status$|Status$/.test(value.name as string)
}

/** Files that name payment methods: the table, adapters, words, contracts with their examples. */
const namesMethods =
  /^(src\/kernel\/payment-methods|src\/processors\/.+\/.+|functions\/developer\/simulator\/.+|functions\/[^/]+\/[^/]+\/contract(-[a-z-]+)?|functions\/page\/hosted-payment\/pages\/(text\.(en|es)|assets\/stripe-card))\.[jt]s$/

/**
 * Code branches on a method's flow. `'card'` is a flow too: it may stand in a call or a type of payment-methods.ts, and
 * beside `flowOf(…)` or `flow`.
 */
export const methodsStandInTheirTable =
  (methods: readonly string[], flows: readonly string[]): Rule =>
  (sources) =>
    product(sources)
      .filter(({ path }) => /^(src|functions|drizzle)\//.test(path) && !namesMethods.test(path))
      .flatMap((source) => {
        const asFlows = new Set(
          source.nodes.flatMap(flowsIn).filter((node) => flows.includes(literal(node)!)),
        )
        return each([source], (node) =>
          namedIn(node, methods) && !asFlows.has(node)
            ? `names a payment method: branch on its flow (src/kernel/payment-methods.ts)`
            : null,
        )
      })

/** As a string, or quoted in SQL. */
const namedIn = (node: Node, methods: readonly string[]) =>
  methods.includes(literal(node) ?? '') ||
  (node.type === 'TemplateElement' &&
    methods.some((method) => (node.value as { raw: string }).raw.includes(`'${method}'`)))

/** The literals in a node that name flows. */
function flowsIn(node: Node): Node[] {
  if (node.type === 'CallExpression' && /^methodsOf$/.test(nameOf(node.callee as Node) ?? ''))
    return node.arguments as Node[]
  if (node.type === 'BinaryExpression') {
    const sides = [node.left, node.right] as Node[]
    return sides.some(isFlow) ? sides : []
  }
  if (node.type !== 'TSTypeReference' || nameOf(node.typeName as Node) !== 'MethodOf') return []
  return collectLiterals(node.typeArguments)
}

function isFlow(node: Node): boolean {
  if (node.type === 'CallExpression') return isFlow(node.callee as Node)
  if (node.type === 'MemberExpression') return isFlow(node.property as Node)
  return /^flow(Of)?$/.test(nameOf(node) ?? '')
}

function collectLiterals(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(collectLiterals)
  if (!isNode(value)) return []
  return value.type === 'Literal'
    ? [value]
    : Object.values(value).flatMap((each) => (typeof each === 'object' ? collectLiterals(each) : []))
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** What belongs together comes as one named object; background work takes its SystemCall first. */
export const fewParameters =
  (max: number): Rule =>
  (sources) =>
    each(
      sources.filter(({ path }) => /^(src|functions)\//.test(path)),
      ({ type, params }) =>
        functions.has(type) && (params as Node[]).length > max
          ? `${(params as Node[]).length} parameters: name what belongs together`
          : null,
    )

export const noAny: Rule = (sources) =>
  each(sources, (node) => (node.type === 'TSAnyKeyword' ? 'any: name the type, or unknown' : null))

/** Unfinished work belongs in an issue, not in the code. */
export const nothingLeftOver: Rule = (sources) =>
  sources.flatMap((source) =>
    source.text
      .split('\n')
      .flatMap((line, index) =>
        /\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\b/.test(line)
          ? [{ path: source.path, message: `line ${index + 1}: left over: ${line.trim()}` }]
          : [],
      ),
  )

const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bno more\b(?! than\b)/i, 'no longer, or at most'],
  [/\banew\b/i, 'again'],
  [/\btold\b/i, 'said, reported, sent or answered'],
  [/\bwhoever\b/i, 'name the person'],
  [/\bas far as\b/i, 'name the bound'],
  [/\bfrom (then|when) on\b/i, 'after that, or from this time on'],
  [/\bhow far it is\b/i, 'its status, or its progress in percent'],
  [/\bwhat it is\b/i, 'name the thing: its kind, its amount, its use'],
  [
    /catalogue|licence|instalment|(author|recogn|normal|optim)is[ei]|colour|cancelled|honour|favour|behaviour|neighbour/i,
    'American spelling',
  ],
]

/** Comments, sentences in strings, and documents say the actor and the fact, without phrases that a reader must decode. */
export const plainWords: Rule = (sources) =>
  sources
    .filter(({ path }) => /^(src|functions|local|drizzle)\/|\.md$/.test(path))
    .flatMap((source) =>
      sentencesOf(source).flatMap(({ start, words }) =>
        phrases.flatMap(([phrase, instead]) => {
          const found = phrase.exec(words)
          if (!found) return []
          const line = source.text.slice(0, start).split('\n').length
          return [{ path: source.path, message: `line ${line}: "${found[0]}": ${instead}` }]
        }),
      ),
    )

interface Sentences {
  readonly start: number
  /** On one line, without the marks of comments. */
  readonly words: string
}

const sqlComments = /(?:--.*\n[ \t]*)*--.*|'(?:[^']|'')*'/g
const comments = /\/\*[\s\S]*?\*\/|(?:\/\/.*\n[ \t]*)*\/\/.*/g

function sentencesOf({ path, text, nodes }: Source): Sentences[] {
  if (path.endsWith('.md')) return parts(text, /.+(?:\n.+)*/g)
  if (path.endsWith('.sql')) return parts(text, sqlComments).filter(({ words }) => /\s/.test(words))
  const literals = nodes.filter(({ type }) => type === 'Literal' || type === 'TemplateElement')
  let code = text
  for (const { start, end } of literals)
    code = code.slice(0, start) + ' '.repeat((end as number) - start) + code.slice(end as number)
  const strings = literals.flatMap((node) => {
    const words = node.type === 'Literal' ? literal(node) : (node.value as { raw: string }).raw
    return words !== null && /\s/.test(words.trim()) ? [{ start: node.start, words: joined(words) }] : []
  })
  return [...parts(code, comments), ...strings]
}

const parts = (text: string, pattern: RegExp): Sentences[] =>
  [...text.matchAll(pattern)].map(({ 0: words, index }) => ({ start: index, words: joined(words) }))

const joined = (words: string) => words.replaceAll(/\s*\n\s*(\*|--|\/\/)?\s*/g, ' ')

export function noLongFiles(mostLines: number): Rule {
  return (sources) =>
    sources.flatMap(({ path, text }) => {
      if (path.endsWith('.css')) return []
      const lines = text.trimEnd().split('\n').length
      return lines > mostLines ? [{ path, message: `${lines} lines: look for the seam` }] : []
    })
}

/** `import { z }` brings every locale into the bundle. */
export const zodAsNamespace: Rule = (sources) =>
  each(sources, (node) => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type' || sourceName(node) !== 'zod')
      return null
    const named = (node.specifiers as Node[]).some((item) => item.type !== 'ImportNamespaceSpecifier')
    return named ? "import * as z from 'zod'" : null
  })

/** Node runs the files as they are. */
export const importsNameTheFile: Rule = (sources) =>
  sources.flatMap(({ path, imports }) =>
    imports
      .filter((item) => item.path !== null && !/\.[a-z]+$/.test(item.path))
      .map((item) => ({ path, message: `line ${item.line}: ${item.specifier} names no file` })),
  )

const numberMakers = /^(Number|parseInt|parseFloat|z\.number|z\.int|z\.coerce\.number)$/
const numberColumns = /^(integer|smallint|real|doublePrecision|numeric|serial)$/

/**
 * An amount of money, which every name ending in `Minor` is, is a bigint in TypeScript and a BIGINT in Postgres. Tests
 * may get it wrong on purpose.
 */
export const moneyIsNoNumber: Rule = (sources) =>
  each(
    sources.filter(({ path }) => !path.startsWith('test/')),
    (node) => {
      const label = nameOf(node)
      if (label !== null && /Minor$/.test(label) && isNumber(node))
        return `${label} is money: bigint, never number`
      const column = node.type === 'CallExpression' ? literal((node.arguments as Node[])[0]) : null
      if (column !== null && /_minor$/.test(column) && isNumberColumn(node))
        return `${column} is money: a bigint column`
      return null
    },
  )

function nameOf(node: Node): string | null {
  const named = ['TSPropertySignature', 'PropertyDefinition', 'Property', 'TSMethodSignature'].includes(
    node.type,
  )
    ? node.key
    : ['VariableDeclarator', 'FunctionDeclaration', 'TSTypeAliasDeclaration'].includes(node.type)
      ? node.id
      : node
  if (!isNode(named)) return null
  if (named.type === 'Identifier') return named.name as string
  return literal(named)
}

function isNumber(node: Node): boolean {
  const typed = [node.typeAnnotation, node.returnType].some(holdsNumberType)
  return typed || [node.value, node.init].some((value) => isNode(value) && makesNumber(value))
}

function holdsNumberType(type: unknown): boolean {
  if (!isNode(type)) return false
  if (type.type === 'TSNumberKeyword') return true
  if (type.type === 'TSUnionType') return (type.types as Node[]).some(holdsNumberType)
  return holdsNumberType(type.typeAnnotation)
}

function makesNumber(value: Node): boolean {
  if (value.type === 'Literal') return typeof value.value === 'number'
  if (value.type === 'ArrowFunctionExpression') return holdsNumberType(value.returnType)
  if (value.type !== 'CallExpression') return false
  const callee = value.callee
  if (!isNode(callee)) return false
  if (numberMakers.test(dotted(callee))) return true
  const target = callee.type === 'MemberExpression' ? callee.object : null
  return isNode(target) && makesNumber(target)
}

function isNumberColumn(call: Node): boolean {
  const maker = isNode(call.callee) ? dotted(call.callee) : ''
  if (numberColumns.test(maker)) return true
  const options = (call.arguments as Node[])[1]
  if (maker !== 'bigint' || options?.type !== 'ObjectExpression') return false
  return (options.properties as Node[]).some(
    (option) => nameOf(option) === 'mode' && literal(option.value) === 'number',
  )
}

const timeAndChance = /^(Date\.now|Math\.random|performance\.now|crypto\..*|fetch|setTimeout|setInterval)$/

/**
 * A plan gets the time, the ids and the amounts as arguments: it reads no clock, draws nothing at random and calls
 * nothing.
 */
export const plansAskNoClock: Rule = (sources) =>
  sources
    .filter(({ path }) =>
      /^functions\/[^/]+\/[^/]+\/(lifecycle|plan|present)(-[a-z-]+)?\.ts$|^src\/ledger\/journal/.test(path),
    )
    .flatMap((source) => [
      ...each([source], (node) => {
        if (node.type === 'NewExpression' && isNode(node.callee) && dotted(node.callee) === 'Date') {
          return (node.arguments as Node[]).length === 0
            ? 'new Date() asks the clock: take the time as input'
            : null
        }
        const called = node.type === 'CallExpression' && isNode(node.callee) ? dotted(node.callee) : ''
        return timeAndChance.test(called) ? `${called}() is time, chance or I/O: take it as input` : null
      }),
      ...source.imports
        .filter((item) => !item.typeOnly && item.path === 'src/kernel/ids.ts')
        .map((item) => ({ path: source.path, message: `line ${item.line}: draws ids: take them as input` })),
    ])

function each(sources: readonly Source[], check: (node: Node) => string | null): Violation[] {
  return sources.flatMap((source) =>
    source.nodes.flatMap((node) => {
      const message = check(node)
      return message === null
        ? []
        : [{ path: source.path, message: `line ${lineOf(source, node)}: ${message}` }]
    }),
  )
}

/** `crypto.subtle.digest` for the expression of that name; empty for anything but a plain name. */
function dotted(node: Node): string {
  if (node.type === 'Identifier') return node.name as string
  if (node.type !== 'MemberExpression' || !isNode(node.object) || !isNode(node.property)) return ''
  return `${dotted(node.object)}.${dotted(node.property)}`
}

function literal(value: unknown): string | null {
  return isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : null
}

function sourceName(node: Node): string | null {
  return literal(node.source)
}
