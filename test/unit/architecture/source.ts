import { posix } from 'node:path'
import { parseAst } from 'vitest/node'

/** A node of the ESTree with TypeScript, with the fields that the rules read. */
export type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown }

export type Import = {
  /** The import as written. */
  readonly specifier: string
  /** From the root of the repository for a relative import, null for a package. */
  readonly path: string | null
  /** The package's name, null for a relative import. */
  readonly package: string | null
  /** Gone at run time. */
  readonly typeOnly: boolean
  /** An `import()`: loaded when it is reached. */
  readonly isLazy: boolean
  readonly line: number
}

export type Source = {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
  readonly nodes: readonly Node[]
  readonly body: readonly Node[]
  readonly imports: readonly Import[]
}

/** Parses one TypeScript or JavaScript file; anything else carries its text alone. */
export function sourceOf(path: string, text: string): Source {
  if (!/\.[cm]?[jt]s$/.test(path)) return { path, text, nodes: [], body: [], imports: [] }
  const program: unknown = parseAst(text, { lang: 'ts' })
  const nodes: Node[] = []
  collect(program, nodes)
  const body = (nodes[0]?.body ?? []) as Node[]
  return { path, text, nodes, body, imports: importsOf(path, text, nodes) }
}

export function lineOf(source: { readonly text: string }, node: Node): number {
  return source.text.slice(0, node.start).split('\n').length
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}

function collect(value: unknown, into: Node[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, into)
  else if (isNode(value)) {
    into.push(value)
    for (const field of Object.values(value)) if (typeof field === 'object') collect(field, into)
  }
}

const importing = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
])

function importsOf(path: string, text: string, nodes: readonly Node[]): Import[] {
  const imports: Import[] = []
  for (const node of nodes) {
    const specifier = importing.has(node.type) && isNode(node.source) ? node.source.value : undefined
    if (typeof specifier !== 'string') continue
    const relative = specifier.startsWith('.')
    imports.push({
      specifier,
      path: relative ? posix.join(posix.dirname(path), specifier) : null,
      package: relative ? null : packageOf(specifier),
      typeOnly: node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type',
      isLazy: node.type === 'ImportExpression',
      line: lineOf({ text }, node),
    })
  }
  return imports
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
}
