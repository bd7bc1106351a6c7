import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import { declaredBy, withDirectImports } from './direct-imports.ts'
import { isContract, leanContract } from './lean-contracts.ts'

/** Our own files as the Worker has them: see direct-imports.ts and lean-contracts.ts. */
export const ownSources: Plugin = {
  name: 'own-sources',
  setup: ({ onLoad }) => {
    const known = new Map<string, ReturnType<typeof declaredBy>>()
    const declared = (api: string) => {
      const found = known.get(api) ?? declaredBy(api)
      known.set(api, found)
      return found
    }
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const contents = await withDirectImports(path, await readFile(path, 'utf8'), declared)
      return isContract(path)
        ? { contents: await leanContract(contents), loader: 'js' }
        : { contents, loader: 'ts' }
    })
  },
}
