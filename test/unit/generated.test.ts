import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { declared, eventTypes } from '../../local/declarations.ts'
import { generated } from '../../local/generate.ts'
import { operations } from '../../local/operations.ts'
import { PROJECT } from '../../local/project.ts'
import { sold } from '../../src/app.ts'

test.each(Object.entries(generated()))('%s is what the areas declare', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})

const ids = operations.map(({ contract }) => contract.id)

test('declarations name operations that exist', () => {
  const named = [
    ...declared(({ samples = {} }) =>
      Object.entries(samples).flatMap(([id, { after = [] }]) => [id, ...after]),
    ),
    ...declared(({ events = {} }) => Object.values(events).map(({ shownBy }) => shownBy)),
    ...Object.values(eventTypes).flatMap(({ shownBy, trigger }) => [shownBy ?? [], trigger ?? []].flat()),
  ]
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((id) => !ids.includes(id))).toEqual([])
})

test('every chapter of the reference is declared once, and has operations', () => {
  const tags = declared(({ tags }) => tags).map(({ name }) => name)
  const used = new Set(operations.map(({ contract }) => contract.tag))
  expect([...new Set(tags)]).toEqual(tags)
  expect(tags.filter((tag) => tag !== 'Accounts' && !used.has(tag))).toEqual([])
  expect([...used].filter((tag) => !tags.includes(tag))).toEqual([])
})

test('an address names one kind of what is sold', async () => {
  const prefixes = Object.values(await sold.all()).map(({ publicIdPrefix }) => publicIdPrefix)
  expect(prefixes.length).toBeGreaterThan(2)
  expect([...new Set(prefixes)]).toEqual(prefixes)
})

test('what sells is listed by its own facts', async () => {
  const own = Object.values(await sold.all()).map(({ kind, publicIdPrefix, writeScopes }) => ({
    kind,
    publicIdPrefix,
    writeScopes,
  }))
  expect(await sold.facts()).toEqual(own)
  for (const { kind, publicIdPrefix } of own)
    expect(Object.keys(await sold.at(`${publicIdPrefix}_${'a'.repeat(32)}`))).toEqual([kind])
  expect(await sold.at(`other_${'a'.repeat(32)}`)).toEqual({})
})

test.each(['drizzle/migrations', 'drizzle/identity/migrations'])(
  '%s has one migration and its snapshot: nothing is deployed yet',
  (folder) => {
    expect(globSync(`${folder}/*.sql`, { cwd: PROJECT })).toHaveLength(1)
    expect(globSync(`${folder}/meta/*_snapshot.json`, { cwd: PROJECT })).toHaveLength(1)
  },
)
