import { publicId, uuidv7 } from '../../../src/kernel/ids.ts'
import { newMerchant, openLink } from '../merchant.ts'
import { adminSql } from '../stack.ts'
import { billOrigin } from './table-bill.ts'

/** Minor units of `total`, which is held and paid in parts. */
interface Sums {
  readonly total: string
  readonly held: string
  readonly paid: string
}

/** A new bill of a new merchant, with these lines in minor units. */
export async function newBill(...amounts: readonly number[]) {
  const merchant = await newMerchant({ name: 'Fonda Ñandú' })
  const [id, address] = [uuidv7(Date.now()), publicId(billOrigin.publicIdPrefix)]
  const sql = adminSql('sandbox')
  await sql(
    `insert into table_bills (tenant_id, id, public_id, status, title) values ($1, $2, $3, 'open', 'Mesa 4')`,
    [merchant.tenantId, id, address],
  )
  await sql('insert into table_bill_sums (tenant_id, id, total_minor) values ($1, $2, 0)', [
    merchant.tenantId,
    id,
  ])
  const lines: string[] = []
  /** Adds a line as a waiter does, in one transaction. */
  const add = async (amount: number) => {
    const line = uuidv7(Date.now())
    lines.push(line)
    await sql(
      `with sums as (update table_bill_sums set total_minor = total_minor + $4 where tenant_id = $1 and id = $2)
       insert into table_bill_lines (tenant_id, id, bill_id, name, amount_minor) values ($1, $3, $2, $5, $4)`,
      [merchant.tenantId, id, line, amount, `Plato ${lines.length}`],
    )
  }
  for (const amount of amounts) await add(amount)
  return {
    merchant,
    id,
    address,
    lines,
    add,
    sums: async () =>
      (
        await sql<Sums>(
          `select total_minor::text as total, held_minor::text as held, paid_minor::text as paid
           from table_bill_sums where id = $1`,
          [id],
        )
      )[0]!,
    /** Lines that a guest pays or has paid, by their place. */
    taken: async () =>
      (
        await sql<{ id: string }>(
          'select id from table_bill_lines where bill_id = $1 and paid_by is not null',
          [id],
        )
      )
        .map((row) => lines.indexOf(row.id))
        .sort(),
    form: (part: string) => openLink(address, `?${part}`),
  }
}
