import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

// Removes code of packages that the Worker never calls and the bundler cannot prove unused. Each entry changes the text
// of a file; if an entry no longer matches, for instance in another version of a package, the build fails.

interface Patch {
  readonly file: RegExp
  readonly change: (text: string) => string
}

const PURE = '/* @__PURE__ */'
const UNUSED = "(() => { throw new Error('left out of the Worker') })()"

const patches: readonly Patch[] = [
  // It makes Zod schemas from field types, `z[type]()`, which would keep all of Zod, its 48 languages included.
  {
    file: /better-auth[\\/]dist[\\/]db[\\/]to-zod\.mjs$/,
    change: (text) => text.replace('z[field.type]()', UNUSED),
  },
  // JSON Schema: openapi.json is made by local/openapi.ts, not by the Worker.
  {
    file: /zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    change: (text) =>
      text
        .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
        // Values that contain themselves: no JSON does, and each schema would be searched for a cycle.
        .replace(/^ *_ensureDefaultMemoizer\(\);$/gm, '')
        .replace(
          /^import \{ (createStandardJSONSchemaMethod), (createToJSONSchemaMethod) \} from .*$/m,
          'const $1 = () => undefined, $2 = $1;',
        ),
  },
  // The driver is one prebuilt module; we use only its HTTP part. None of its top-level calls has an outside effect:
  // marked as pure, its Postgres protocol over WebSockets is dropped with the classes that are not imported.
  {
    file: /@neondatabase[\\/]serverless[\\/]index\.mjs$/,
    change: (text) =>
      text
        .replace(/=we\((\w+)\(\)/g, `=${PURE}we(${PURE}$1()`)
        .replace(/=(T|V)\(/g, `=${PURE}$1(`)
        .replace(/class (\w+) extends (\w+)\.(Client|Pool)\{/g, `class $1 extends(${PURE}(()=>$2.$3)()){`)
        // Workers have a Buffer of their own.
        .replace(/globalThis\.\s*Buffer:\s*\w+\(\)\.\s*Buffer/, 'globalThis.Buffer:undefined')
        .replace(/var (export_\w+)=(\w+\.\w+);/g, `var $1=${PURE}(()=>$2)();`)
        .replace(/\ba\(\s*([\w$]+),("[^"]*")\)/g, `${PURE}a($1,$2)`),
  },
  // A method and a class for each command of Redis; the Worker sends `get` and `set`.
  {
    file: /@upstash[\\/]redis[\\/]chunk-\w+\.mjs$/,
    change: (text) =>
      text
        .replace(
          /^ {2}(?:get (?:json|functions|search|vector)|createScript)\(.*\) \{\n[\s\S]*?^ {2}\}\n/gm,
          '',
        )
        .replace(/^ {2}(?:multi|pipeline) = \(\) => new Pipeline\(\{\n[\s\S]*?^ {2}\}\);\n/gm, '')
        .replace(/^ {2}(?:autoPipeline|p?subscribe) = \(.*\) => \{\n[\s\S]*?^ {2}\};\n/gm, '')
        .replace(
          /^ {2}(?!(?:get|set) )(\w+) = \(.*\) => (?:this\.chain\()?new \w+Command\w*\([\s\S]*?;\n/gm,
          '',
        ),
  },
  // Column types for tables declared by a function: our tables import theirs by name.
  {
    file: /drizzle-orm[\\/]pg-core[\\/]table\.js$/,
    change: (text) => text.replace('columns(getPgColumnBuilders())', UNUSED),
  },
]

export const bundlePatches: Plugin = {
  name: 'bundle-patches',
  setup: ({ onLoad }) => {
    for (const { file, change } of patches) {
      onLoad({ filter: file }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const contents = change(text)
        if (contents === text) throw new Error(`local/bundle-patches.ts no longer fits ${path}`)
        return { contents, loader: 'js' }
      })
    }
  },
}
