import { type Column, type SQL, sql, type Table } from 'drizzle-orm'
import { type PgColumn, QueryBuilder } from 'drizzle-orm/pg-core'

/** Builds queries; it has no connection. Queries run through `database().read`, which authorizes and pins the tenant. */
export const build = new QueryBuilder()

/** A query with its values, ready to be sent, and how to decode its rows. */
export interface BoundQuery<Row> {
  readonly text: string
  /** The call of the database function that answers it, whose plan lasts in a session. */
  readonly planned?: string | null
  readonly values: readonly unknown[]
  readonly rows: (cells: readonly (readonly (string | null)[])[]) => Row[]
}

/** What `select` takes: any Drizzle select. */
export interface Selectable<Row> {
  toSQL(): { sql: string; params: unknown[] }
  readonly _: { readonly result: Row[]; readonly selectedFields: Record<string, unknown> }
  getSQL(): SQL
}

interface Plan<Row> {
  text: string
  planned: string | null
  params: readonly unknown[]
  read: (cells: readonly (string | null)[]) => Row
}

interface Slot {
  readonly slot: string
}

/** A placeholder for a value that is given when the query is bound. */
export const slot = (name: string): SQL => sql`${{ slot: name } as unknown as string}`

/** The slot of a page's size, as Drizzle's `limit` takes it. */
export const rowsLimit = slot('rows') as unknown as number

/** The shapes of a list without filters: its first page, and one behind a cursor. Their plan is its index, in order. */
export const pages: readonly string[] = ['rows', 'rows afterCreatedAt afterId']

/** The tenant predicate: every query carries it beside row-level security, so that indexes can be used. */
export const ownTenant = (table: { tenantId: PgColumn }): SQL =>
  sql`${table.tenantId} = (select door.pinned_tenant())`

/**
 * A column of the row that `is` names, by which others are found. A join instead could be planned while the tables are
 * small, to begin with all rows of the workspace, and a session would keep that plan.
 */
export const foundFirst = (column: PgColumn, is: SQL | undefined): SQL =>
  sql`(select ${column} from ${column.table} where ${ownTenant(column.table as unknown as { tenantId: PgColumn })} and ${is})`

/** Orders and pages by time: the rows after a cursor position, newest first. */
export const afterTime = (table: { createdAt: PgColumn; id: PgColumn }): SQL =>
  sql`(${table.createdAt}, ${table.id}) < (${slot('afterCreatedAt')}::timestamptz, ${slot('afterId')}::uuid)`

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value

/**
 * The text of every query that has a database function, for each of its shapes; `npm run db:migrate` makes them. The
 * build of the Worker drops the statements labelled TOOLS.
 */
export const plannedTexts: (() => string)[] = []

/**
 * A query of a store, written in Drizzle once and compiled once per isolate and shape. `has` says which values a call
 * has, so that absent filters are not in the text; the values fill the slots. `isPlanned`: a session plans it once.
 *
 * A query whose writer does not take `has` is answered by a database function, whose plan lasts in a session. So is one
 * that does in the shapes that `shapes` names: each is the values that a call has, in their order, between spaces.
 */
export function select<Row>(
  write: (has: (slot: string) => boolean, isPlanned: boolean) => Selectable<Row>,
  shapes: readonly string[] = write.length === 0 ? [''] : [],
): (values?: Record<string, unknown>) => BoundQuery<Row> {
  const plans = new Map<string, Plan<Row>>()
  for (const shape of shapes) {
    const names = shape.split(' ')
    plannedTexts.push(() => fixed(write((name) => names.includes(name), true)).text)
  }
  return (values = {}) => {
    let shape = ''
    if (write.length > 0) for (const key in values) if (values[key] !== undefined) shape += ` ${key}`
    shape = shape.slice(1)
    let plan = plans.get(shape)
    if (!plan) {
      const isPlanned = shapes.includes(shape)
      plan = compile(
        write((name) => values[name] !== undefined, isPlanned),
        isPlanned,
      )
      plans.set(shape, plan)
    }
    const { text, planned, params, read } = plan
    return {
      text,
      planned,
      values: params.map((param) => (isSlot(param) ? toDriver(values[param.slot]) : param)),
      rows: (cells) => cells.map(read),
    }
  }
}

/**
 * A query with its constants in its text: a plan for any value would use no index of a part of a table. What a call gives
 * is never in a text.
 */
function withConstants({ sql: text, params }: { sql: string; params: readonly unknown[] }) {
  const slots: unknown[] = []
  const written = text.replace(/\$(\d+)/g, (_, at) => {
    const param = params[at - 1]
    if (isSlot(param)) return `$${slots.push(param)}`
    return param === null ? 'null' : `'${String(toDriver(param)).replaceAll("'", "''")}'`
  })
  return { sql: written, params: slots }
}

/** The names of so many columns, and a row of them as a JSON list of its cells, as Postgres prints them. */
function listOf(columns: number) {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  return { names: names.join(), list: `to_json(array[${names.map((name) => `${name}::text`)}])` }
}

const countOf = ({ _: { selectedFields } }: Selectable<unknown>) => Object.keys(selectedFields).length

/**
 * A query of fixed shape as its database function has it. Except for a page, each row is one column: Postgres parses, plans
 * and describes the columns of a function at every call, which costs more than a few rows.
 */
function fixed(query: Selectable<unknown>) {
  const { sql: text, params } = withConstants(query.toSQL())
  if (/limit \$/.test(text)) return { text, params, isList: false }
  const { names, list } = listOf(countOf(query))
  return { text: `select ${list} from (${text}) r (${names})`, params, isList: true }
}

/** The database function of a query. Its name is of the text, so that a version of the Worker finds its own queries. */
export function plannedName(text: string): string {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return `planned_${text.length}_${hash}`
}

function compile<Row>(query: Selectable<Row>, isFixed: boolean): Plan<Row> {
  const { sql, params: every } = query.toSQL()
  const { text, params, isList } = isFixed ? fixed(query) : { text: sql, params: every, isList: false }
  const given = params.map((_, at) => `$${at + 1}`).join()
  const read = readerOf(query)
  return {
    text,
    planned: isFixed ? `select * from door.${plannedName(text)}(${given})` : null,
    params,
    read: isList ? ([list]) => read(JSON.parse(list!)) : read,
  }
}

function readerOf<Row>(query: Selectable<Row>): (cells: readonly (string | null)[]) => Row {
  const columns = Object.entries(query._.selectedFields).map(([key, field]) => ({
    key,
    // A field written in SQL decodes as what it was mapped with.
    decode: decoderOf((field as { decoder?: Column }).decoder ?? (field as Column)),
  }))
  return (cells) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at++) {
      const cell = cells[at]
      const column = columns[at]!
      row[column.key] = cell === null || cell === undefined ? null : column.decode(cell)
    }
    return row as Row
  }
}

/** The rows of a query in a column beside something else, in their order; null where there are none. */
export function rowsIn<Row>(query: Selectable<Row>): SQL<readonly Row[] | null> {
  const { names, list } = listOf(countOf(query))
  const read = readerOf(query)
  return sql`(select json_agg(${sql.raw(list)}) from (${query.getSQL()}) r (${sql.raw(names)}))`.mapWith(
    (cell: string) => (JSON.parse(cell) as (string | null)[][]).map(read),
  ) as SQL as SQL<readonly Row[] | null>
}

// Cells arrive as Postgres prints them: a boolean as `t`, or as text as `true`. Drizzle's columns decode the rest; lists only
// slowly.
function decoderOf(column: Column): (cell: string) => unknown {
  if (column.dataType === 'boolean') return (cell) => cell === 't' || cell === 'true'
  if (column.dataType === 'string') return (cell) => cell
  if (column.dataType === 'json') return (cell) => JSON.parse(cell)
  if (column.dataType === 'array') {
    const { baseColumn } = column as unknown as { baseColumn: Column }
    const item = decoderOf(baseColumn)
    // Drizzle parses lists with quotes, escapes, nesting or NULL.
    return (cell) => {
      if (cell === '{}') return []
      return /["\\{]|NULL/.test(cell.slice(1))
        ? column.mapFromDriverValue(cell)
        : cell.slice(1, -1).split(',').map(item)
    }
  }
  return (cell) => column.mapFromDriverValue(cell)
}

function toDriver(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return value.toString()
  return value
}

/** A row that a publish answered (every value as text, lists and objects as JSON) as the code's row of that table. */
export function rowOf<T extends Table>(
  table: T,
  record: Readonly<Record<string, string | null>>,
): T['$inferSelect'] {
  const row: Record<string, unknown> = {}
  for (const [key, name] of Object.entries(namesOf(table).columns)) {
    const text = record[name]
    const column = (table as unknown as Record<string, Column>)[key]!
    row[key] = text === null || text === undefined ? null : decodeText(column, text)
  }
  return row as T['$inferSelect']
}

function decodeText(column: Column, text: string): unknown {
  if (column.dataType === 'array' || column.dataType === 'json') return JSON.parse(text)
  return decoderOf(column)(text)
}

/** The database's names of a table and of its columns, by the names that the code uses. */
export function namesOf(table: object): { table: string; columns: Record<string, string> } {
  const known = tableNames.get(table)
  if (known) return known
  const columns: Record<string, string> = {}
  for (const [key, column] of Object.entries(table)) {
    if (column && typeof column === 'object' && 'name' in column) columns[key] = (column as Column).name
  }
  const names = { table: (table as Record<symbol, string>)[Symbol.for('drizzle:Name')]!, columns }
  tableNames.set(table, names)
  return names
}

const tableNames = new WeakMap<object, { table: string; columns: Record<string, string> }>()

export type Listed = { tenantId: PgColumn; createdAt: PgColumn; id: PgColumn }

/**
 * Every list's conditions: own tenant, window of creation times, cursor position. A position lies within the window
 * that its cursor is sealed with, so it replaces the window's end: given both, Postgres would begin its scan at the end
 * of the window and walk over every earlier page.
 */
export function inWindow(table: Listed, has: (slot: string) => boolean): SQL[] {
  const conditions = [ownTenant(table)]
  if (has('createdFrom')) conditions.push(sql`${table.createdAt} >= ${slot('createdFrom')}::timestamptz`)
  if (has('createdAfter')) conditions.push(sql`${table.createdAt} > ${slot('createdAfter')}::timestamptz`)
  if (has('afterId')) return [...conditions, afterTime(table)]
  if (has('createdTo')) conditions.push(sql`${table.createdAt} <= ${slot('createdTo')}::timestamptz`)
  if (has('createdBefore')) conditions.push(sql`${table.createdAt} < ${slot('createdBefore')}::timestamptz`)
  return conditions
}
