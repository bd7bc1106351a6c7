import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

// An area's api.ts names what others may use of it, and is the only file that they import. esbuild loads a file whole or
// not at all, for each entry: an import of one name of an api.ts would load all that is behind it. So the
// build imports each name from where it is declared.

const apis = /\/api(?:-pure)?\.ts$/
const named = (keyword: 'import' | 'export') =>
  new RegExp(`^${keyword} \\{([^}]*)\\} from '(\\.[^']*)'`, 'gm')

export interface Declared {
  readonly file: string
  readonly name: string
}

/** The items between braces that are values, as pairs of the name there and the name here. */
const valuesIn = (items: string): (readonly [there: string, here: string])[] =>
  items
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => {
      const [there, here = there] = item.split(' as ') as [string, string?]
      return [there, here]
    })

/** Where the names that an api.ts passes on are declared; it may pass on another one's. */
export async function declaredBy(api: string): Promise<ReadonlyMap<string, Declared>> {
  const found = new Map<string, Declared>()
  for (const [, items, from] of (await readFile(api, 'utf8')).matchAll(named('export'))) {
    const file = join(dirname(api), from!)
    const behind = apis.test(file) ? await declaredBy(file) : null
    for (const [name, here] of valuesIn(items!)) found.set(here, behind?.get(name) ?? { file, name })
  }
  return found
}

/** A module's text with each name of an api.ts imported from where it is declared. */
export async function withDirectImports(
  path: string,
  text: string,
  declared: (api: string) => Promise<ReadonlyMap<string, Declared>> = declaredBy,
): Promise<string> {
  const imports = [...text.matchAll(named('import'))].filter(([, , from]) => apis.test(from!))
  let direct = text
  for (const [whole, items, from] of imports) {
    const api = join(dirname(path), from!)
    const behind = await declared(api)
    const lines = valuesIn(items!).map(([there, here]) => {
      const { file, name } = behind.get(there) ?? { file: api, name: there }
      const at = relative(dirname(path), file).replaceAll('\\', '/')
      return `import { ${name} as ${here} } from '${at.startsWith('.') ? at : `./${at}`}'`
    })
    direct = direct.replace(whole, () => lines.join(';'))
  }
  return direct
}
