import { type CallExpression, type Node, type ObjectExpression, type Property, parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import { transform } from 'esbuild'

// A contract says what openapi.json shows and what the Worker checks. The Worker needs the second: the build leaves out
// schemas of replies, examples and descriptions, and marks every schema as pure, so that esbuild drops those that only
// they used. Each would be built before an area's first request.

/** Files that declare contracts and schemas and do nothing else. Signing in checks its replies by their schemas. */
export const isContract = (path: string): boolean =>
  /[\\/]contract[\w-]*\.ts$/.test(path) && !/[\\/]account[\\/]auth[\\/]/.test(path)

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

const nameOf = ({ key }: Property): string => (key.type === 'Identifier' ? key.name : '')
const ownProperties = ({ properties }: ObjectExpression) =>
  properties.filter((each): each is Property => each.type === 'Property')

const marks = ['access', 'errors', 'example', 'method', 'path', 'reply', 'summary', 'tables']
/** A contract, or a part that contracts share; a summary in words is a contract's. */
const isPart = (object: ObjectExpression): boolean =>
  ownProperties(object).filter((each) => marks.includes(nameOf(each))).length > 1 ||
  ownProperties(object).some((each) => nameOf(each) === 'summary' && each.value.type === 'Literal')

const left = ['description', 'example', 'schema', 'summary']
/** Parts of src/http/schemas.ts, whose first arguments are a reply's schema and its example. */
const showing = ['listed', 'paged', 'one']
const PURE = '/* @__PURE__ */ '

function editsOf(code: string): Edit[] {
  const edits: Edit[] = []
  const leaveOut = ({ start, end }: Node) => {
    const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0
    edits.push({ from: start, to: end + comma, text: '' })
  }
  ancestor(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
    Property(node) {
      const property = node as Property
      if (nameOf(property) !== 'reply' || property.value.type !== 'ObjectExpression') return
      for (const each of ownProperties(property.value)) if (nameOf(each) === 'schema') leaveOut(each)
    },
    ObjectExpression(node) {
      const object = node as ObjectExpression
      if (!isPart(object)) return
      for (const each of ownProperties(object)) if (left.includes(nameOf(each))) leaveOut(each)
    },
    CallExpression(node, _, ancestors) {
      const { callee, arguments: given, end } = node as CallExpression
      if (callee.type === 'Identifier' && showing.includes(callee.name))
        for (const { start, end } of given.slice(0, 2))
          edits.push({ from: start, to: end, text: 'undefined' })
      const isMember = callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      if (isMember && /^(?:describe|meta)$/.test((callee.property as { name: string }).name))
        edits.push({ from: callee.object.end, to: end, text: '' })
      const parent = ancestors.at(-2)
      const isInside = ancestors.some(({ type }) => /Function/.test(type))
      // The annotation stands for a whole chain of calls.
      if (!isInside && parent?.type !== 'MemberExpression')
        edits.push({ from: node.start, to: node.start, text: PURE })
    },
  })
  return edits
}

/** Edits from the back; what is within a text that is left out goes with it. */
function applied(code: string, edits: readonly Edit[]): string {
  const gone = edits.filter(({ from, to }) => to > from)
  const isGone = (edit: Edit) =>
    gone.some(
      (one) =>
        one !== edit &&
        one.from <= edit.from &&
        edit.to <= one.to &&
        (one.from < edit.from || edit.to < one.to),
    )
  let lean = code
  for (const edit of edits.filter((each) => !isGone(each)).toSorted((a, b) => b.from - a.from || b.to - a.to))
    lean = lean.slice(0, edit.from) + edit.text + lean.slice(edit.to)
  return lean
}

/** A contract's text as JavaScript without what only openapi.json shows. */
export async function leanContract(text: string): Promise<string> {
  const { code } = await transform(text, { loader: 'ts', target: 'es2024' })
  const lean = applied(code, editsOf(code))
  // TypeScript drops the imports that are not used any more.
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: false } }
  return (await transform(lean, { loader: 'ts', target: 'es2024', tsconfigRaw })).code
}
