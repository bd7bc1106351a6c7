import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { plannedName, plannedTexts } from '../src/platform/query.ts'
import { PROJECT } from './project.ts'

/** The texts of all queries of the stores that have a database function, by its name. */
export async function plannedQueries(): Promise<Readonly<Record<string, string>>> {
  const files = ['functions', 'src'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(PROJECT, folder, file),
    ),
  )
  const writesQueries = (file: string) =>
    file.endsWith('.ts') && /\bplatform\/(query|rows)\.ts'|\bqueriesOf\(/.test(readFileSync(file, 'utf8'))
  for (const file of files.filter(writesQueries)) await import(pathToFileURL(file).href)
  const texts = new Set(plannedTexts.map((textOf) => textOf()))
  // In an order that does not depend on who imported a store before.
  const named = Object.fromEntries([...texts].toSorted().map((text) => [plannedName(text), text]))
  if (Object.keys(named).length < texts.size) throw new Error('two queries have one name')
  return named
}

/**
 * A function of each query, in place of all that there were. Postgres says of which types its values and its columns are.
 * It looks for the seal once, and reads as spindle_reader (drizzle/sql/020_rows.sql): the Worker's role would look for it at
 * each table.
 */
export const plannedSql = async (): Promise<string> => `do $do$
declare
  q record;
  t record;
begin
  for q in select p.oid::regprocedure as signature from pg_proc p
    where p.pronamespace = 'door'::regnamespace and p.proname like 'planned\\_%'
  loop
    execute format('drop function %s', q.signature);
  end loop;
  for q in select key as name, value as text from jsonb_each_text($json$${JSON.stringify(await plannedQueries())}$json$) loop
    execute format('prepare planned as %s', q.text);
    select p.parameter_types, p.result_types into t from pg_prepared_statements p where p.name = 'planned';
    deallocate planned;
    execute format('create function door.%I(%s) returns table (%s) language plpgsql stable
      security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan %s as %L', q.name, array_to_string(t.parameter_types, ', '),
      (select string_agg(format('_%s %s', at, type), ', ' order by at) from unnest(t.result_types) with ordinality u (type, at)),
      -- Of a page Postgres does not know how short it is: it is read in the order of its index.
      case when q.text ~ 'limit \\$' then 'set enable_sort = off set enable_bitmapscan = off' else '' end,
      format('#variable_conflict use_column
begin
  if door.sealed_tenant() is not null then
    return query %s;
  end if;
end', q.text));
  end loop;
end $do$`
