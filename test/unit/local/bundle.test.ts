import { expect, test } from 'vitest'
import { modulesAtStart, workerModules } from '../../../local/bundle.ts'

const modules = await workerModules()
const holding = (word: string) => [...modules].filter(([, text]) => text.includes(word)).map(([name]) => name)

test.each([
  ['better-auth', 'Invalid password'],
  ['SimpleWebAuthn', 'Unexpected authentication response origin'],
])('%s is in modules that are not loaded at start-up', (_, word) => {
  expect(holding(word)).not.toEqual([])
  expect(holding(word).filter((name) => modulesAtStart(modules).includes(name))).toEqual([])
})

test.each([
  ["Zod's languages", 'oczekiwano'],
  ["Zod's JSON Schema", 'draft-07'],
  ["the Neon driver's Postgres protocol", 'SCRAM-SERVER-FIRST-MESSAGE'],
])('%s are in no module', (_, word) => {
  expect(holding(word)).toEqual([])
})
