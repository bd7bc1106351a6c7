import { type Mutant, stack } from './mutant.ts'

const sql = 'drizzle/sql/059_payment_links.sql'
const uses = 'integration/payment-links/uses.test.ts'

export const links: readonly Mutant[] = [
  stack(
    'a payment under way holds a use',
    sql,
    'held_count = u.held_count + v_held, updated_at = new.updated_at\n  where',
    'updated_at = new.updated_at\n  where',
    [uses, 'an unpaid voucher holds'],
  ),
  stack(
    'a link takes nothing before its start',
    sql,
    `tg_op = 'INSERT' and v_link.starts_at > new.created_at`,
    'false',
    [uses, 'before its start'],
  ),
  stack(
    'a limit comes before the first payment',
    sql,
    `tg_op = 'UPDATE' and old.uses_max is null and exists`,
    `tg_op = 'UPDATE' and false and exists`,
    [uses, 'a limit belongs'],
  ),
  stack(
    'a buyer goes on to an origin of the settings',
    sql,
    'when (new.success_url is not null) execute',
    'when (false) execute',
    ['integration/payment-links/payers.test.ts', 'after the payment'],
  ),
  stack(
    'a form of older questions is refused',
    'functions/payment-links/origin.ts',
    `{ status: 'active', asksVersion, termsVersion`,
    `{ status: 'active', termsVersion`,
    ['integration/payment-links/collects.test.ts', 'a form that was opened before'],
  ),
]
