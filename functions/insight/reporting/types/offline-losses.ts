import { currencyColumn, type ReportType } from './type.ts'

export const offlineLosses: ReportType = {
  version: 1,
  en: 'Every payment that a reader stored without a network and whose card did not pay afterwards.',
  es: 'Cada pago que una terminal guardó sin red y cuya tarjeta no pagó después.',
  columns: [
    { name: 'booked_at', kind: 'time', en: 'When it was known.', es: 'Cuándo se supo.' },
    { name: 'day', kind: 'text', en: 'That day in Mexico City.', es: 'Ese día en la Ciudad de México.' },
    { name: 'offline_payment_id', kind: 'text', en: 'What was stored.', es: 'Lo que se guardó.' },
    { name: 'payment_id', kind: 'text', en: 'The payment.', es: 'El pago.' },
    { name: 'device_id', kind: 'text', en: 'The reader.', es: 'La terminal.' },
    { name: 'device_name', kind: 'text', en: 'Its name now.', es: 'Su nombre de ahora.' },
    { name: 'location_id', kind: 'text', en: 'Where it stood.', es: 'Dónde estaba.' },
    {
      name: 'location_name',
      kind: 'text',
      en: 'The name of that location now.',
      es: 'El nombre de ahora de ese lugar.',
    },
    {
      name: 'taken_at',
      kind: 'time',
      en: 'When the card was read, by the reader’s clock.',
      es: 'Cuándo se leyó la tarjeta, según el reloj de la terminal.',
    },
    { name: 'reason', kind: 'text', en: 'Why the card did not pay.', es: 'Por qué no pagó la tarjeta.' },
    currencyColumn,
    {
      name: 'amount',
      kind: 'minor',
      en: 'What was lost, tip included.',
      es: 'Lo que se perdió, con propina.',
    },
  ],
  sums: 'amount',
  // What never came is on no account.
  accounts: [],
  rows: `select r.at, r.id, r.at as booked_at, (r.at at time zone 'America/Mexico_City')::date::text as day,
    r.id as offline_payment_id, r.payment_id, r.device_id, d.name as device_name, r.location_id, p.name as location_name,
    o.taken_at, r.reason, r.currency, r.amount_minor as amount
  from (select l.*, l.booked_at as at from offline_losses l
    where l.tenant_id = (select door.pinned_tenant())
      and l.booked_at >= $1::timestamptz and l.booked_at < $2::timestamptz and l.commit_order < $3::bigint
      and ($4::timestamptz is null or (l.booked_at, l.id) > ($4::timestamptz, $5::uuid))
    order by l.booked_at, l.id limit $6::int) r
  join offline_payments o on o.tenant_id = r.tenant_id and o.id = r.id
  join devices d on d.tenant_id = r.tenant_id and d.id = r.device_id
  join locations p on p.tenant_id = r.tenant_id and p.id = r.location_id
  order by r.at, r.id`,
}
