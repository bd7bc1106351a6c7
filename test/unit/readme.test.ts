import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../local/project.ts'
import { testCards } from '../../src/processors/simulator/cards.ts'

const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')

test('the table of test cards is the simulator’s', () => {
  const told = [...readme.matchAll(/^\| (\d{4} \d{4} \d{4} \d{4}) \| (.+) \|$/gm)].map(
    ([, number, label]) => [number?.replaceAll(' ', ''), label],
  )
  expect(told).toEqual(testCards.map(({ number, label }) => [number, label.en]))
})

test('every npm script it names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = [...readme.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(([, name]) => name as string)
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})

test('every file it links to exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target as string)
  const files = links.filter((target) => !target.startsWith('http'))
  expect(files.filter((target) => !existsSync(join(PROJECT, target)))).toEqual([])
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
