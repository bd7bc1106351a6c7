import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Loader, Plugin } from 'esbuild'
import { PROJECT } from './project.ts'

// Removes code that the Worker never calls and the bundler cannot prove unused. Each entry changes the text of a file;
// if an entry no longer matches, for instance in another version of a package, the build fails.

interface Omission {
  readonly file: RegExp
  /** Null where there is nothing to remove. */
  readonly change: (text: string) => string | null
}

const PURE = '/* @__PURE__ */'
const LEFT_OUT = "(() => { throw new Error('left out of the Worker') })()"

/** Every method that src/platform/redis.ts calls: the commands of Redis that are sent are among them. */
const called = new Set(
  readFileSync(join(PROJECT, 'src/platform/redis.ts'), 'utf8').match(/(?<=\.)\w+(?=[(<])/g),
)

const omissions: readonly Omission[] = [
  // It makes Zod schemas from field types, `z[type]()`, which would keep all of Zod, its 48 languages included.
  {
    file: /better-auth[\\/]dist[\\/]db[\\/]to-zod\.mjs$/,
    change: (text) => text.replace('z[field.type]()', LEFT_OUT),
  },
  // JSON Schema: openapi.json is made by local/openapi.ts, not by the Worker.
  {
    file: /zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    change: (text) =>
      text
        .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
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
        .replace(/var (export_\w+)=(\w+\.\w+);/g, `var $1=${PURE}(()=>$2)();`)
        .replace(/\ba\(\s*([\w$]+),("[^"]*")\)/g, `${PURE}a($1,$2)`),
  },
  // A method and a class for each command of Redis; keep those that we call.
  {
    file: /@upstash[\\/]redis[\\/]chunk-\w+\.mjs$/,
    change: (text) =>
      text
        .replace(/^ {2}get (?:json|functions)\(\) \{\n[\s\S]*?^ {2}\}\n/gm, '')
        .replace(
          /^ {2}(\w+) = \(.*\) => (?:this\.chain\()?new \w+Command\w*\([\s\S]*?;\n/gm,
          (method, name: string) => (called.has(name) ? method : ''),
        ),
  },
  // Column types for tables declared by a function: our tables import theirs by name.
  {
    file: /drizzle-orm[\\/]pg-core[\\/]table\.js$/,
    change: (text) => text.replace('columns(getPgColumnBuilders())', LEFT_OUT),
  },
  // Keys, checks and indexes of the tables: only migrations need them.
  {
    file: /drizzle[\\/]schema[\\/][\w-]+\.ts$/,
    change: (text) =>
      text.includes('pgTable(') ? text.replace(/,\n {2}\(t\) => \[[\s\S]*?\],\n\)/g, ',\n)') : null,
  },
]

export const leftOut: Plugin = {
  name: 'left-out',
  setup: ({ onLoad }) => {
    for (const { file, change } of omissions) {
      onLoad({ filter: file }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const contents = change(text)
        if (contents === null) return null
        if (contents === text) throw new Error(`local/bundle-patches.ts no longer fits ${path}`)
        return { contents, loader: (extname(path) === '.ts' ? 'ts' : 'js') satisfies Loader }
      })
    }
  },
}
