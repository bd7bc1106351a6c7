import type { PersonalData } from '../src/http/declaration.ts'
import { declared } from './declarations.ts'

/** What a table holds of persons; several areas may say something of one. */
export interface TableData extends PersonalData {
  readonly table: string
}

/** What all areas declare, in the order of their names. */
export const personalData: readonly TableData[] = declared(({ personalData = {} }) =>
  Object.entries(personalData).flatMap(([table, data]) =>
    [data].flat().map((part: PersonalData) => ({ table, ...part })),
  ),
)

/** The lines of the table in docs/decisions/erasure.md. */
export const erasureLines: readonly string[] = personalData.flatMap(({ table, columns }) =>
  columns.map(({ names, fate, why }) => `| ${table} | ${names.join(', ')} | ${fate} | ${why} |`),
)

type Erased = TableData & Required<Pick<TableData, 'whose' | 'erasure'>>

const erased = personalData.filter((data): data is Erased => data.erasure !== undefined)
const going = (when: TableData['goes']) => erased.filter(({ goes }) => goes === when)

/**
 * The functions that do the areas' parts of an erasure (drizzle/sql/073_customers_erasure.sql). `hasVersion`: whether the
 * rows of a table count their changes.
 */
export function erasureSql(hasVersion: (table: string) => boolean): string {
  const statement = ({ table, whose, while: open, erasure, together }: Erased, limit: 'some' | 'all') => {
    const some = together ? `order by ${together} fetch first (v_left) rows with ties` : 'limit v_left'
    const does =
      erasure === 'delete'
        ? `delete from public.${table} t`
        : `update public.${table} t set ${erasure.set}${hasVersion(table) ? ', version = t.version + 1, updated_at = now()' : ''}`
    return `${does}
  where t.tenant_id = p_tenant and t.id = any (array(select t.id from public.${table} t
    where t.tenant_id = p_tenant and (${whose})${open ? ` and (${open})` : ''}
    ${limit === 'some' ? `${some} ` : ''}for ${erasure === 'delete' ? '' : 'no key '}update));`
  }
  const counted = (parts: readonly Erased[]) =>
    parts
      .map(
        (part) => `  if v_left > 0 then
  ${statement(part, 'some').replaceAll('\n', '\n  ')}
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    v_found := v_found + v_count;
  end if;`,
      )
      .join('\n')
  const functions = personalData.flatMap(({ by }) => (by ? [`'${by}'`] : []))
  return `-- One slice of an erasure: at most p_limit rows, of which the areas' functions read theirs from p_from on.
create or replace function door.erase_parts(p_tenant uuid, p_customers uuid[], p_emails text[], p_email_digests text[], p_from jsonb, p_limit int) returns jsonb
language plpgsql as $$
declare
  v_left int := p_limit;
  v_found int := 0;
  v_count int;
  v_by text;
  v_part jsonb;
  v_from jsonb := p_from;
  v_forget jsonb := '[]';
begin
${counted(going(undefined))}
  foreach v_by in array array[${functions.join(', ')}] loop
    if v_left > 0 then
      execute format('select door.erase_%I($1, $2, $3, $4)', v_by) into v_part
      using p_tenant, p_customers, coalesce((p_from->>v_by)::uuid, door.id_at('epoch')), v_left;
      v_left := case when (v_part->>'left')::boolean then 0 else v_left - (v_part->>'found')::int end;
      v_found := v_found + (v_part->>'found')::int;
      v_from := v_from || jsonb_build_object(v_by, v_part->'from');
      v_forget := v_forget || coalesce(v_part->'forget', '[]');
    end if;
  end loop;
${counted(going('later'))}
  return jsonb_build_object('found', v_found, 'left', v_left <= 0, 'from', v_from, 'forget', v_forget);
end $$;

-- What other data is found by.
create or replace function door.erase_last(p_tenant uuid, p_customers uuid[]) returns void
language plpgsql as $$
begin
${going('last')
  .map((part) => `  ${statement(part, 'all')}`)
  .join('\n')}
end $$;`
}

type Shown = TableData & Required<Pick<TableData, 'whose' | 'shownAs'>>

const shown = personalData.filter((data): data is Shown => data.shownAs !== undefined)

/** The parts of an export, in their order. */
export const exportParts: readonly string[] = shown.map(({ shownAs }) => shownAs)

/** The function that reads an export's parts, a page at a time. `typeOf`: the SQL type of a table's column. */
export function exportSql(
  typeOf: (table: string, column: string) => string,
  hasColumn: (table: string, column: string) => boolean,
): string {
  const value = (table: string, column: string) => {
    const type = typeOf(table, column)
    if (type === 'bigint') return `'${column.replace(/_minor$/, '')}', t.${column}::text`
    return type.startsWith('timestamp')
      ? `'${column}', to_char(t.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : `'${column}', t.${column}`
  }
  const page = ({ table, whose, shownAs, columns }: Shown) => {
    const names = columns.flatMap((part) => (part.withheld ? [] : part.names))
    const all = new Set(['id', ...names, ...(hasColumn(table, 'created_at') ? ['created_at'] : [])])
    return `  when '${shownAs}' then return query
    select jsonb_build_object(${[...all].map((name) => value(table, name)).join(', ')})
    from public.${table} t where t.tenant_id = p_tenant and (${whose})
      and t.id > p_after order by t.id limit p_rows;`
  }
  return `-- A page of a part of what is held about a customer and all that became part of it.
create or replace function door.personal_rows(p_part text, p_customer uuid, p_after uuid, p_rows int) returns setof jsonb
language plpgsql stable as $$
declare
  p_tenant constant uuid := (select door.pinned_tenant());
  p_customers constant uuid[] := array(select door.customers_within(p_customer));
  p_emails constant text[] := door.emails_of(p_tenant, p_customers);
  p_email_digests constant text[] := array(select door.email_digest(p_tenant, e) from unnest(p_emails) e);
begin
  case p_part
${shown.map(page).join('\n')}
  end case;
end $$;`
}
