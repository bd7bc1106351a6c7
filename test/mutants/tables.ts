import { type Mutant, migration, stack } from './mutant.ts'

const sql = 'drizzle/sql/059_table_pay.sql'
const bill = 'integration/table-pay/bill.test.ts'
const races = 'integration/table-pay/races.test.ts'

/** Bills that a table pays in parts. */
export const tables: readonly Mutant[] = [
  stack(
    'a bill is paid once',
    migration,
    'CHECK ("table_session_sums"."held_minor" + "table_session_sums"."paid_minor" <= "table_session_sums"."total_minor")',
    'CHECK (true)',
    [races, 'for the rest'],
  ),
  stack(
    'a line is paid by one guest',
    sql,
    'and l.payment_id is null and l.external_payment_id is null;',
    ';',
    [races, 'for one line of two'],
  ),
  stack(
    'a bill is closed once all of it is paid',
    sql,
    "new.status = 'closed' and v.paid_minor <> v.total_minor",
    'false',
    [bill, 'then the bill closes'],
  ),
  stack(
    'a bill of which something is paid is not voided',
    sql,
    "new.status = 'void' and v.paid_minor + v.held_minor > 0",
    'false',
    [bill, 'is not voided; a void one is reopened'],
  ),
  stack(
    'a line that is paid is not voided',
    migration,
    `CHECK ("table_lines"."status" = 'ordered' or ("table_lines"."payment_id" is null and "table_lines"."external_payment_id" is null))`,
    'CHECK (true)',
    [races, 'no peso is paid twice'],
  ),
]
