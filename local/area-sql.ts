import { globSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { Deadlines, Job, Kind } from '../src/http/declaration.ts'
import { allMoves } from '../src/kernel/lifecycle.ts'
import { flowOf, methods } from '../src/kernel/payment-methods.ts'
import { declared, jobs, kinds } from './declarations.ts'
import { outgoing } from './mails.ts'
import { erasureSql, exportSql } from './personal-data.ts'
import { PROJECT } from './project.ts'
import { list, text } from './rights.ts'

const schemas: object[] = await Promise.all(
  globSync('drizzle/schema/*.ts', { cwd: PROJECT }).map((path) => import(join(PROJECT, path))),
)

const typesOf = (table: PgTable): [string, ReadonlyMap<string, string>] => {
  const { name, columns } = getTableConfig(table)
  return [name, new Map(columns.map((column) => [column.name, column.getSQLType()]))]
}

/** The SQL type of each column of each table: `payments`, `expires_at`. */
const columnTypes: Map<string, ReadonlyMap<string, string>> = new Map(
  schemas
    .flatMap((schema) => Object.values(schema))
    .filter((exported): exported is PgTable => is(exported, PgTable))
    .map(typesOf),
)

/** @throws Error where an area declares a table or a column that its schema does not have */
function typeOf(table: string, column: string): string {
  const type = columnTypes.get(table)?.get(column)
  if (!type) throw new Error(`An area declares ${table}.${column}: the schema has no such column.`)
  return type
}

const hasColumn = (table: string, column: string) => columnTypes.get(table)?.has(column) ?? false

/** What the tests sell beside the areas. */
export interface Sold {
  readonly kinds: Readonly<Record<string, Kind>>
  readonly counters: Readonly<Record<string, readonly string[]>>
  readonly tables: readonly PgTable[]
}

/** Tables, kinds, payment methods and scheduled jobs as rows: the SQL of the service reads them. */
export function areasSql(header: string, beside?: Sold): string {
  for (const table of beside?.tables ?? []) columnTypes.set(...typesOf(table))
  const sold = { ...kinds, ...beside?.kinds }
  const appendOnly = declared((area) => area.appendOnly)
  const lookedUp = declared((area) => area.lookedUp)
  for (const table of [...appendOnly, ...lookedUp]) typeOf(table, 'tenant_id')
  return `-- ${header}
create or replace view door.area_tables (append_only, looked_up) as values
  (${list(appendOnly)},
   ${list(lookedUp)});

create or replace view door.secret_columns (table_name, columns) as values
${rows(declared(({ secret = {} }) => Object.entries(secret).map(columnsRow)))};

create or replace view door.counters (table_name, columns) as values
${rows([...declared(({ counters = {} }) => Object.entries(counters)), ...Object.entries(beside?.counters ?? {})].map(columnsRow))};
grant select on door.counters to spindle_door;

create or replace view door.kinds (kind, table_name, has_public_ids, has_metadata, is_sold, freezes, takes_stock) as values
${rows(Object.entries(sold).map(kindRow))};
grant select on door.kinds to spindle_door;

${movesSql()}

${holdsSql(sold)}

create or replace view door.mail_kinds (kind, cause, is_reminder, is_reminded) as values
${rows(outgoing.map(mailRow))};
grant select on door.mail_kinds to spindle_door, spindle_auth;

create or replace view door.payment_methods (method, flow) as values
${rows(methods.map((method) => `${text(method)}, ${text(flowOf(method))}`))};
grant select on door.payment_methods to spindle_door;

create or replace view door.due_jobs (job, table_name, condition, first_by, only_rows) as values
${rows([...jobs.map(dueRow), `'claims', null, ${text(claimsAreOver)}, null, null`])};
`
}

/** How an erasure and an export of a person find what the areas declare. */
export const personalSql = (header: string): string => `-- ${header}
${erasureSql((table) => hasColumn(table, 'version'))}

${exportSql(typeOf, hasColumn)}
`

/** Whether `door.sweep` has something to do. */
const claimsAreOver = `exists (select from public.idempotency_claims d where d.publish_id < door.id_at($1 - interval '30 days')
          and d.expires_at <= $1)
        or exists (select from public.due_failures d where d.next_try_at <= $1 - interval '1 day')
        or exists (select from public.card_tries d where d.created_at <= $1 - interval '1 day')
        or exists (select from public.risk_evaluations d where d.created_at <= $1 - interval '180 days')
        or exists (select from public.risk_list_items d where d.status = 'removed' and d.updated_at <= $1 - interval '30 days')
        or exists (select from public.reader_actions d where d.answers is not null and d.answers_until <= $1)
        or exists (select from public.insight_hours d where d.begins_at <= $1 - interval '70 days')
        or exists (select from public.step_up_challenges d where d.status in ('pending', 'verified')
          and d.challenge_expires_at <= $1 - interval '1 hour')`

const rows = (values: readonly string[]) => values.map((row) => `  (${row})`).join(',\n')

function columnsRow([table, columns]: readonly [string, readonly string[]]): string {
  for (const column of columns) typeOf(table, column)
  return `${text(table)}, ${list(columns)}`
}

function kindRow([kind, { table, hasPublicIds, hasMetadata, origin, freezes, holds = [] }]: readonly [
  string,
  Kind,
]): string {
  const takesStock = holds.includes('stock')
  if (hasPublicIds) typeOf(table, 'public_id')
  if (hasMetadata || origin) typeOf(table, 'metadata')
  if (takesStock) for (const column of ['stock', 'delivers']) typeOf(table, column)
  const facts = [hasPublicIds, hasMetadata, origin, freezes, takesStock].map(Boolean)
  return [text(kind), text(table), ...facts].join(', ')
}

const mailRow = ([kind, { cause, isReminder, isReminded }]: (typeof outgoing)[number]) =>
  [text(kind), text(cause), isReminder, isReminded].join(', ')

/** How a status may move; from nothing at its insert. The table with the most moves is compared first. */
function movesSql(): string {
  const moves = new Map<string, string[]>()
  for (const each of declared((area) => area.lifecycles))
    moves.set(each.resource, [
      ...(moves.get(each.resource) ?? []),
      ...each.initial.map((to) => `>${to}`),
      ...allMoves(each).map(({ from, to }) => `${from}>${to}`),
    ])
  const inOrder = [...moves].sort(([, some], [, others]) => others.length - some.length)
  return `create or replace function door.may_move(p_table text, p_from text, p_to text) returns boolean
language plpgsql immutable as $$
begin
  case p_table
${inOrder.map(([table, each]) => `    when ${text(table)} then return p_from || '>' || p_to = any (${text(`{${each.join()}}`)});`).join('\n')}
    else return true;
  end case;
end $$;`
}

/**
 * One order of all names in which each list finds its own.
 * @throws Error where the lists contradict each other
 */
export function inOneOrder(lists: readonly (readonly string[])[]): string[] {
  const left = new Set(lists.flat())
  const inOrder: string[] = []
  while (left.size > 0) {
    const waits = (name: string) =>
      lists.some((list) => list.slice(0, Math.max(0, list.indexOf(name))).some((before) => left.has(before)))
    const next = [...left].find((name) => !waits(name))
    if (next === undefined)
      throw new Error(`Kinds name ${[...left].join(', ')} in different orders: two attempts could deadlock.`)
    left.delete(next)
    inOrder.push(next)
  }
  return inOrder
}

/**
 * The trigger functions that call the holds of a payment's kind (drizzle/sql/039_payments_holds.sql): one statement each, in
 * an order that keeps the order of every kind.
 */
function holdsSql(kinds: Readonly<Record<string, Kind>>): string {
  const ofKind = (name: string) =>
    `p.origin_type in (${Object.entries(kinds)
      .flatMap(([kind, { holds }]) => (holds?.includes(name) ? [text(kind)] : []))
      .join(', ')})`
  // One order for all kinds, in which each finds its own. Of another kind a hold gets no payment and, being strict, is not
  // called: a condition could be looked at too late.
  const inOrder = inOneOrder(Object.values(kinds).map(({ holds = [] }) => holds))
  return `create or replace function door.hold_for_attempt() returns trigger
language plpgsql as $$
declare
  h record;
begin
  if new.expires_at is not null and num_nulls(new.network_digest, new.contact_digest, new.unpaid_share_bps) > 0 then
    raise exception 'an unpaid attempt says who holds it' using errcode = '23514', constraint = 'unpaid_holds_holder';
  end if;
  -- Everything is taken before the first share is looked at: what is sold out is refused as sold out.
  for h in
    select t.* from public.payments p cross join lateral (
${inOrder.map((name) => `      select * from door.hold_${name}(new, case when ${ofKind(name)} then p end)`).join('\n      union all\n')}) t
    where p.tenant_id = new.tenant_id and p.id = new.payment_id order by t.resource_id
  loop
    if new.expires_at is not null and h.free is not null then
      perform door.hold_unpaid(new, h.resource_id, h.quantity, h.free);
    end if;
  end loop;
  return null;
end $$;

create or replace function door.end_for_attempt() returns trigger
language plpgsql as $$
declare
  v_was constant text := door.hold_state(old.status, old.resolved_at);
  v_is constant text := door.hold_state(new.status, new.resolved_at);
begin
  if v_was <> v_is then
    perform ${inOrder
      .map((name) => `case when ${ofKind(name)} then door.end_${name}(new, p, v_was, v_is)::text end`)
      .join(',\n      ')}
    from public.payments p where p.tenant_id = new.tenant_id and p.id = new.payment_id;
  end if;
  return null;
end $$;`
}

function dueRow([job, { table, due, only, firstBy = 'next_check_at' }]: readonly [string, Job]): string {
  if (!table) return `${text(job)}, null, ${text(due ?? 'true')}, null, null`
  typeOf(table, firstBy)
  return [text(job), text(table), due ? text(due) : 'null', text(firstBy), only ? text(only) : 'null'].join(
    ', ',
  )
}

/** What a sandbox's clock moves. */
export const deadlinesSql = (header: string): string => `-- ${header}
create or replace function door.move_deadlines(p_tenant uuid, p_by interval, p_days int) returns void
language plpgsql as $$
begin
${declared((area) => area.deadlines)
  .map(updateOf)
  .join('\n')}
end $$;
grant execute on function door.move_deadlines(uuid, interval, int) to spindle_door;
`

/** The update that brings the open deadlines of a tenant nearer. */
export function updateOf({ table, columns, while: isOpen }: Deadlines): string {
  const sets = columns.map(
    (column) => `${column} = ${column} - ${typeOf(table, column) === 'date' ? 'p_days' : 'p_by'}`,
  )
  if (hasColumn(table, 'version')) sets.push('version = version + 1')
  return `  update public.${table} set ${sets.join(', ')}
  where tenant_id = p_tenant and num_nonnulls(${columns.join(', ')}) > 0${isOpen ? ` and (${isOpen})` : ''};`
}
