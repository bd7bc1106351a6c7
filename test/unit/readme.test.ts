import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../local/project.ts'
import { testCards } from '../../src/processors/simulator/cards.ts'

const textOf = (page: string) => readFileSync(join(PROJECT, page), 'utf8')
const pages = ['README.md', ...globSync('docs/*.md', { cwd: PROJECT })]

test('the table of test cards is the simulator’s', () => {
  const told = [...textOf('docs/sandbox.md').matchAll(/^\| (\d{4} \d{4} \d{4} \d{4}) \| (.+) \|$/gm)].map(
    ([, number, label]) => [number?.replaceAll(' ', ''), label],
  )
  expect(told).toEqual(testCards.map(({ number, label }) => [number, label.en]))
})

test('the README can be read in one sitting', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(151)
})

test.each(pages)('%s names npm scripts that exist', (page) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = [...textOf(page).matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(([, name]) => name as string)
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('%s links to files and headings that exist', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target as string)
  const broken = links.filter((link) => {
    if (link.startsWith('http')) return false
    const [file = '', anchor] = link.split('#')
    const path = file === '' ? page : join(dirname(page), file)
    if (!existsSync(join(PROJECT, path))) return true
    return anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor)
  })
  expect(broken).toEqual([])
})

test.each(globSync('docs/decisions/*.md', { cwd: PROJECT }))('%s names files that exist', (decision) => {
  const text = readFileSync(join(PROJECT, decision), 'utf8')
  const named = [...text.matchAll(/`((?:src|functions|drizzle|local|test|bench)\/[\w./-]+)`/g)].map(
    ([, path]) => path as string,
  )
  expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([])
  expect(text).toMatch(/^(## |\*\*)Context/m)
  expect(text).toMatch(/^(## |\*\*)Refused/m)
})

test('the walks of the architecture have at most eight steps, of files that exist; to pay takes ten files, none twice', () => {
  const walks = textOf('docs/architecture.md').split(/^### /m).slice(1)
  expect(walks).toHaveLength(5)
  for (const walk of walks) {
    const steps = [...walk.matchAll(/^\d+\. (.+)$/gm)].map(([, step]) => step as string)
    expect(steps.length, walk).toBeLessThanOrEqual(8)
    const files = [...walk.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path]) => path as string)
    if (/^A (?:card payment|checkout)/.test(walk)) {
      expect(files.length, walk).toBeLessThanOrEqual(10)
      expect(new Set(files).size, walk).toBe(files.length)
    }
    for (const step of steps) {
      const named = [...step.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path]) => path as string)
      expect(named, step).not.toEqual([])
      expect(
        named.filter((path) => !existsSync(join(PROJECT, path))),
        step,
      ).toEqual([])
    }
  }
})
