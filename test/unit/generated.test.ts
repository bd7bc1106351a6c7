import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generated } from '../../local/generate.ts'

test.each(Object.entries(generated()))('%s is what the areas declare', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})
