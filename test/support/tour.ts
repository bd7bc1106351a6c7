import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../local/children.ts'
import { demoTenant } from '../../local/demo.ts'
import { PROJECT } from '../../local/project.ts'
import { stack } from './stack.ts'

/** Files of one process share it; it goes with the process. */
export const home = temporaryFolder('tour')

/** The shell blocks of a page from a heading on, for the addresses and the demo tenant of this stack. */
export function blocks(page: string, from: string): string[] {
  const text = readFileSync(join(PROJECT, page), 'utf8')
  return [...text.slice(text.indexOf(from)).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) =>
    (block as string)
      .replaceAll('/tmp/spindle-', join(home.path, 'spindle-'))
      .replaceAll('./.local/stack.json', join(home.path, 'stack.json')),
  )
}

/** One shell, as a reader would have it: `run` gives what a block printed. */
function terminal() {
  const shell = spawn('bash', [], { cwd: PROJECT, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return {
    end: () => shell.stdin.end(),
    run: async (block: string): Promise<string> => {
      printed = ''
      shell.stdin.write(`${block}\necho; echo __DONE__\n`)
      await new Promise<void>((done) => {
        const look = () => {
          if (!printed.includes('__DONE__')) return
          shell.stdout.off('data', look)
          done()
        }
        shell.stdout.on('data', look)
      })
      return printed.replace('__DONE__', '').trim()
    },
  }
}

export const tour = blocks('README.md', '## A five-minute tour')
/** What a block printed: an answer on each line. */
export const lines = (printed: string) => printed.split('\n').map((line) => JSON.parse(line) as Answer)
type Answer = {
  id?: string
  status?: string
  object?: string
  amount?: string
  data?: { kind?: string; resource?: { type: string } }[]
}

/** A shell as the tour opens it, for the demo merchant. */
export async function demoTerminal() {
  const demo = await demoTenant(stack.sandbox.baseUrl, stack.mailboxUrl, home.path)
  writeFileSync(
    join(home.path, 'stack.json'),
    JSON.stringify({ sandbox: { base_url: stack.sandbox.baseUrl }, demo }),
  )
  const opened = terminal()
  await opened.run(tour[0] as string)
  return opened
}
