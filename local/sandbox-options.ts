import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StackError } from './errors.ts'
import { PROJECT } from './project.ts'
import type { Sandbox } from './simulate.ts'

/** The options of `npm run listen` and `npm run trigger` that name a sandbox. */
export const sandboxOptions = {
  base: { type: 'string' },
  key: { type: 'string' },
  folder: { type: 'string', default: join(PROJECT, '.local') },
} as const

/** The sandbox that the options name, or the demo tenant of the stack that `npm start` runs. */
export async function sandboxOf(given: {
  base?: string | undefined
  key?: string | undefined
  folder: string
}): Promise<Sandbox> {
  if (given.base && given.key) return { baseUrl: given.base.replace(/\/$/, ''), apiKey: given.key }
  if (given.base || given.key) throw new StackError('--base and --key come together')
  try {
    const facts = JSON.parse(await readFile(join(given.folder, 'stack.json'), 'utf8')) as {
      sandbox: { base_url: string }
      demo: { api_key: string }
    }
    return { baseUrl: facts.sandbox.base_url, apiKey: facts.demo.api_key }
  } catch {
    throw new StackError(
      'Nothing runs here: start it with `npm start`, or name a sandbox with --base and --key',
    )
  }
}
