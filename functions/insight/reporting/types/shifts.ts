import { currencyColumn, type ReportType } from './type.ts'

export const shifts: ReportType = {
  version: 1,
  en: 'Every shift of a register that was counted, with what was over or short.',
  es: 'Cada turno de caja que se contó, con su sobrante o faltante.',
  columns: [
    { name: 'closed_at', kind: 'time', en: 'When it was closed.', es: 'Cuándo se cerró.' },
    { name: 'shift_id', kind: 'text', en: 'The shift.', es: 'El turno.' },
    { name: 'register_id', kind: 'text', en: 'The register.', es: 'La caja.' },
    { name: 'register_name', kind: 'text', en: 'Its name now.', es: 'Su nombre de ahora.' },
    { name: 'cashier_name', kind: 'text', en: 'Who was at it.', es: 'Quién la atendió.' },
    currencyColumn,
    { name: 'opening', kind: 'minor', en: 'The cash at the opening.', es: 'El efectivo al abrir.' },
    { name: 'cash_sales', kind: 'minor', en: 'Orders paid in cash.', es: 'Los pedidos pagados en efectivo.' },
    { name: 'cash_returned', kind: 'minor', en: 'What was given back.', es: 'Lo que se devolvió.' },
    { name: 'paid_in', kind: 'minor', en: 'Cash put in beside sales.', es: 'Lo que entró aparte.' },
    { name: 'paid_out', kind: 'minor', en: 'Cash taken out.', es: 'Lo que salió aparte.' },
    { name: 'expected', kind: 'minor', en: 'What had to be in the drawer.', es: 'Lo que debía haber.' },
    { name: 'counted', kind: 'minor', en: 'What was in it.', es: 'Lo que se contó.' },
    {
      name: 'difference',
      kind: 'minor',
      en: 'What it was over, or short below zero.',
      es: 'El sobrante, o el faltante bajo cero.',
    },
  ],
  sums: 'difference',
  // Cash in a drawer is on no account.
  accounts: [],
  rows: `select r.at, r.id, r.closed_at, r.id as shift_id, r.register_id, r.register_name, r.cashier_name, r.currency,
    r.opening_minor, r.sales_minor, r.returns_minor, r.paid_in_minor, r.paid_out_minor, r.expected, r.counted_minor,
    r.counted_minor - r.expected as difference
  from (select s.*, s.booked_at as at, d.name as register_name,
      s.opening_minor + s.sales_minor + s.paid_in_minor - s.returns_minor - s.paid_out_minor as expected
    from register_shifts s join devices d on d.tenant_id = s.tenant_id and d.id = s.register_id
    where s.tenant_id = (select door.pinned_tenant())
      and s.booked_at >= $1::timestamptz and s.booked_at < $2::timestamptz and s.commit_order < $3::bigint) r
  where $4::timestamptz is null or (r.at, r.id) > ($4::timestamptz, $5::uuid)
  order by r.at, r.id limit $6::int`,
}
