import { expect, test } from 'vitest'
import { adminSql } from '../../support/stack.ts'

// Queries of a fixed shape read as spindle_reader, whose policies ask for the pin alone: each looks for the seal before.

const looksFirst =
  /^ ?(#variable_conflict use_column )?begin if door\.sealed_tenant\(\) is (not null then return query [^;]*; end if; end|null then return; end if; return query [^;]*; end) ?$/

test.each(['sandbox', 'live'] as const)(
  '%s: what reads by the pin alone looks for the seal before, and reads what the Worker may',
  async (environment) => {
    const sql = adminSql(environment)
    const of = await sql<{ name: string; body: string }>(
      `select proname::text as name, regexp_replace(prosrc, '[[:space:]]+', ' ', 'g') as body
       from pg_proc where proowner = 'spindle_reader'::regrole order by 1`,
    )
    expect(of.filter(({ body }) => !looksFirst.test(body))).toEqual([])
    expect(of.map(({ name }) => name).filter((name) => !name.startsWith('planned_'))).toEqual([
      'beside_links',
      'beside_table_sessions',
    ])
    const differs = `select c.relname, a.attname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      where c.relnamespace::regnamespace::text in ('public', 'door', 'simulator') and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and (has_column_privilege('spindle_reader', c.oid, a.attnum, 'SELECT')
            <> has_column_privilege('spindle_worker', c.oid, a.attnum, 'SELECT')
          or has_any_column_privilege('spindle_reader', c.oid, 'INSERT, UPDATE, REFERENCES')
          or has_table_privilege('spindle_reader', c.oid, 'DELETE, TRUNCATE, TRIGGER'))`
    expect(await sql(differs)).toEqual([])
    expect(
      await sql(`select from pg_auth_members where roleid = 'spindle_reader'::regrole and member <>
      (select datdba from pg_database where datname = current_database())`),
    ).toEqual([])
  },
)
