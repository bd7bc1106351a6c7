import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

// What libraries carry and this Worker never calls, but a bundler cannot know to be unused. Each entry changes the text of
// one file of a package; a version of the package that it no longer fits fails the build.

interface Omission {
  readonly file: RegExp
  readonly change: (text: string) => string
}

const PURE = '/* @__PURE__ */'

const omissions: readonly Omission[] = [
  // It makes Zod schemas from field types, `z[type]()`, which would keep all of Zod, its 48 languages included.
  {
    file: /better-auth[\\/]dist[\\/]db[\\/]to-zod\.mjs$/,
    change: (text) =>
      text.replace('z[field.type]()', `(() => { throw new Error('left out of the Worker') })()`),
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
  // The driver is one prebuilt module; only its HTTP part is used. None of its top-level calls has an effect that anybody
  // else could see: marked so, its Postgres protocol over WebSockets goes away with the classes that are not imported.
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
]

export const leftOut: Plugin = {
  name: 'left-out',
  setup: ({ onLoad }) => {
    for (const { file, change } of omissions) {
      onLoad({ filter: file }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const contents = change(text)
        if (contents === text) throw new Error(`local/left-out.ts no longer fits ${path}`)
        return { contents, loader: 'js' }
      })
    }
  },
}
