import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { erasureLines, personalData } from '../../../local/personal-data.ts'
import { PROJECT } from '../../../local/project.ts'

const schemas = await Promise.all(
  globSync('drizzle/schema/*.ts', { cwd: PROJECT }).map(
    (path) => import(join(PROJECT, path)) as Promise<object>,
  ),
)
const tables = [...new Set(schemas.flatMap((schema) => Object.values(schema)))]
  .filter((exported): exported is PgTable => is(exported, PgTable))
  .map(getTableConfig)

/** Everybody's: the workspace, and words that the code lists. */
const isOfNobody = (name: string) => name === 'tenant_id' || name === 'currency'

/** Columns for free text. */
const free = ({ columns }: (typeof tables)[number]) =>
  columns
    .filter(({ enumValues }) => (enumValues ?? []).length === 0)
    .filter((column) => /^(text|jsonb|inet|bytea)/.test(column.getSQLType()) && !isOfNobody(column.name))
    .map(({ name }) => name)

/** Of a customer, a payment or an address of a buyer, or said to be. */
const isOfPersons = ({ name, columns }: (typeof tables)[number]) =>
  personalData.some(({ table }) => table === name) ||
  columns.some((column) => ['customer_id', 'payment_id', 'customer_email'].includes(column.name))

test.each(tables.filter(isOfPersons).map((table) => [table.name, table] as const))(
  'the areas say of every text and list of %s whether it is a person’s',
  (name, table) => {
    const said = personalData
      .filter((data) => data.table === name)
      .flatMap(({ columns, impersonal = '' }) => [
        ...columns.flatMap(({ names }) => names),
        ...impersonal.split(' '),
      ])
    expect(free(table).filter((column) => !said.includes(column))).toEqual([])
  },
)

test('what the areas say of a table is so: its columns are there, and what is emptied has a way to be', () => {
  const stored = ['Redis reply', 'sync_files content', 'dispute_files content']
  const known = tables.flatMap(({ name, columns }) => columns.map((column) => `${name} ${column.name}`))
  const wrong = personalData.flatMap(({ table, columns, impersonal, whose, erasure, by }) => [
    ...[...columns.flatMap(({ names }) => names), ...(impersonal?.split(' ') ?? [])]
      .map((column) => `${table} ${column}`)
      .filter((column) => !known.includes(column) && !stored.includes(column)),
    ...(erasure && (by || !whose) ? [`${table}: whose rows?`] : []),
  ])
  expect(wrong).toEqual([])
})

test('the record of erasure has what the areas say', () => {
  const rows = readFileSync('docs/decisions/erasure.md', 'utf8')
    .split('\n')
    .filter((line) => /\| (deleted|emptied|kept) \|/.test(line))
  expect(rows).toEqual(erasureLines)
})

test('an export shows whatever an erasure takes, or the area says why it does not', () => {
  const silent = personalData.flatMap(({ table, columns, shownAs }) =>
    columns.flatMap(({ names, fate, withheld }) =>
      shownAs || withheld || fate === 'kept' ? [] : names.map((name) => `${table} ${name}`),
    ),
  )
  expect(silent).toEqual([])
})
