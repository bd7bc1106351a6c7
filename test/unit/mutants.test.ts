import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../local/project.ts'
import { mutants } from '../mutants/list.ts'
import { mutated } from '../mutants/mutant.ts'

test('no two mutants have one name', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'the guard stands where it is taken out, and its tests exist: %s',
  (_name, mutant) => {
    const source = readFileSync(join(PROJECT, mutant.file), 'utf8')
    expect(mutated(mutant, source)).not.toBe(source)
    expect(mutant.tests.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([])
  },
)
