import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../local/children.ts'
import { PROJECT } from '../../../local/project.ts'

const home = temporaryFolder('preflight')
afterAll(() => home.drop())

type Project = { node: string; wanted: Record<string, string>; installed: Record<string, string> | null }
let made = 0

/** The preflight's output for a project, under a Node that reports that version. */
function preflight({ node, wanted, installed }: Project): { said: string; code: number | null } {
  made += 1
  const project = join(home.path, String(made))
  mkdirSync(join(project, 'local'), { recursive: true })
  const script = join(project, 'local', 'preflight.cjs')
  copyFileSync(join(PROJECT, 'local', 'preflight.cjs'), script)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ devDependencies: wanted }))
  for (const [name, version] of Object.entries(installed ?? {})) {
    mkdirSync(join(project, 'node_modules', name), { recursive: true })
    writeFileSync(join(project, 'node_modules', name, 'package.json'), JSON.stringify({ version }))
  }
  const versions = `Object.defineProperty(process, 'versions', { value: { node: ${JSON.stringify(node)} } })`
  const run = `${versions}; require(${JSON.stringify(script)})`
  const { stderr, stdout, status } = spawnSync(process.execPath, ['-e', run], { encoding: 'utf8' })
  return { said: stdout + stderr, code: status }
}

const wanted = { node: '24.21.0', vitest: '5.1.1' }

const refused: [what: string, project: Project, says: string][] = [
  [
    'a Node too old, nothing installed',
    { node: '18.20.4', wanted, installed: null },
    'Node 18.20.4 is too old: install Node 20 or newer, then run `npm ci`',
  ],
  [
    'nothing installed',
    { node: '20.0.0', wanted, installed: null },
    'The packages are not installed yet: run `npm ci` first',
  ],
  [
    'a package of another version',
    { node: '24.21.0', wanted, installed: { ...wanted, vitest: '4.0.0' } },
    'The installed packages are not those of package.json (vitest is 4.0.0, not 5.1.1): run `npm ci`',
  ],
  [
    'a package that is missing',
    { node: '24.21.0', wanted, installed: { node: wanted.node } },
    'The installed packages are not those of package.json (vitest is missing, not 5.1.1): run `npm ci`',
  ],
  [
    'a Node that did not come with the packages',
    { node: '20.0.0', wanted, installed: wanted },
    'Node 24 did not come with the packages (were install scripts switched off?): run `npm ci` with them on',
  ],
]

test.each(refused)('%s: one line that says what to do', (_what, project, says) => {
  expect(preflight(project)).toEqual({ said: `${says}\n`, code: 1 })
})

test('the packages and the Node that it needs: no output', () => {
  expect(preflight({ node: '24.21.0', wanted, installed: wanted })).toEqual({ said: '', code: 0 })
})
