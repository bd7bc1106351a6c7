import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../local/project.ts'
import { openUnderPeppers } from '../../../local/reencrypt.ts'

// What an operator must know before a version of a secret is removed.

const row = (variable: string) =>
  readFileSync(join(PROJECT, 'docs/deploying.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${variable}\` |`))!

test('every table with a version of the peppers is counted', async () => {
  const paths = globSync('drizzle/schema/*.ts', { cwd: PROJECT })
  const schemas = await Promise.all(paths.map((path) => import(join(PROJECT, path)) as Promise<object>))
  const tables = [...new Set(schemas.flatMap((schema) => Object.values(schema)))]
    .filter((exported): exported is PgTable => is(exported, PgTable))
    .map(getTableConfig)
  const peppered = tables.filter(({ columns }) => columns.some(({ name }) => name === 'pepper_version'))
  expect(Object.keys(openUnderPeppers).sort()).toEqual(peppered.map(({ name }) => name).sort())
  expect(row('API_KEY_PEPPERS')).toContain('`device.rotate_credential`')
})
