import { payInCash } from './cash.ts'
import { call, type Link, type Merchant, newLink, openLink, type Reply } from './merchant.ts'
import { adminSql } from './stack.ts'

export type Lent = { link: Link; location: string; clabe: string; paymentId: string }

/** A payment that waits for a SPEI transfer: the link, the buyer's page, and the CLABE. */
export async function lent(
  merchant: Merchant,
  amount = 120_000,
  fields: Record<string, unknown> = {},
  email = 'ana@example.com',
): Promise<Lent> {
  const link = await newLink(merchant, {
    manual_amount: amount,
    payment_method_types: ['card', 'spei'],
    ...fields,
  })
  const form = await openLink(link.public_id, '?method=spei')
  const { location } = await payInCash(link.public_id, form, 'spei', { name: 'Ana Torres', email })
  return { link, location: location!, ...(await lentNow(merchant, link)) }
}

/** The CLABE that was last assigned for a link. */
export async function lentNow(
  merchant: Merchant,
  link: Pick<Link, 'id'>,
): Promise<{ clabe: string; paymentId: string }> {
  const [row] = await adminSql('sandbox')<{ clabe: string | null; id: string }>(
    `select c.clabe, p.id from payments p left join clabes c on c.tenant_id = p.tenant_id and c.payment_id = p.id
     where p.tenant_id = $1 and p.origin_id = $2 order by c.created_at desc nulls last limit 1`,
    [merchant.tenantId, link.id],
  )
  return { clabe: row!.clabe ?? '', paymentId: row!.id }
}

export type DepositFields = {
  clave_rastreo?: string
  sender_bank?: string
  sender_clabe?: string
  sender_name?: string
  operated_on?: string
}

/** A transfer through the sandbox's operation. */
export const deposit = (
  merchant: Merchant,
  clabe: string,
  amount: number,
  fields: DepositFields = {},
  headers: Record<string, string> = {},
): Promise<Reply> =>
  call('POST', '/v1/sandbox/spei/deposits', {
    bearer: merchant.apiKey,
    headers,
    body: { clabe, amount: String(amount), ...fields },
  })

export type Funds = {
  id: string
  status: string
  reason: string
  amount_minor: string
  remaining_minor: string
  payment_id: string | null
}

export const fundsOf = (merchant: Merchant): Promise<Funds[]> =>
  adminSql('sandbox')<Funds>(
    `select id, status, reason, amount_minor, remaining_minor, payment_id from unapplied_funds
     where tenant_id = $1 order by created_at, id`,
    [merchant.tenantId],
  )

export const depositsOf = (merchant: Merchant) =>
  adminSql('sandbox')<{ id: string; amount_minor: string; applied_minor: string; payment_id: string | null }>(
    `select id, amount_minor, applied_minor, payment_id from spei_deposits where tenant_id = $1 order by created_at, id`,
    [merchant.tenantId],
  )

/** A payment by SPEI in one line: its status, what it received, its CLABE's status. */
export async function standing(merchant: Merchant, paymentId: string): Promise<string> {
  const [row] = await adminSql('sandbox')<{ line: string }>(
    `select p.status || ' ' || p.amount_received_minor || ' ' || coalesce(c.status, 'none') as line
     from payments p left join clabes c on c.tenant_id = p.tenant_id and c.payment_id = p.id
     where p.tenant_id = $1 and p.id = $2 order by c.created_at desc limit 1`,
    [merchant.tenantId, paymentId],
  )
  return row!.line
}

/** Unapplied funds as `reason remaining/amount`. */
export const unappliedFundsOf = async (merchant: Merchant): Promise<string[]> =>
  (await fundsOf(merchant)).map(
    ({ reason, remaining_minor, amount_minor }) => `${reason} ${remaining_minor}/${amount_minor}`,
  )
