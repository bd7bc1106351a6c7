import { expect } from 'vitest'
import { pageHeaders } from '../../functions/page/hosted-payment/pages/frame/headers.ts'
import { type Link, type Merchant, newNetwork, openLink } from './merchant.ts'
import { adminSql, stack } from './stack.ts'

/** Asks for a page without following where it leads. */
export const open = (path: string, init: RequestInit = {}) =>
  fetch(stack.sandbox.directUrl + path, { redirect: 'manual', ...init })

/** Opens a link's page and sends its form with these fields. */
export async function sendForm(
  { public_id: publicId }: Pick<Link, 'public_id'>,
  fields: Record<string, string>,
  { step = 'attempts', query = '' } = {},
): Promise<Response> {
  const body = new URLSearchParams({ ...(await openLink(publicId, query)), locale: 'en', ...fields })
  const headers = { 'cf-connecting-ip': newNetwork() }
  return open(`/${publicId}/${step}`, { method: 'POST', body, headers })
}

export function hasPageHeaders(response: Response): void {
  for (const [name, value] of Object.entries(pageHeaders))
    expect(response.headers.get(name), name).toBe(value)
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
}

export async function pageOf(path: string, init: RequestInit = {}) {
  const response = await open(path, init)
  hasPageHeaders(response)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  const html = await response.text()
  return { status: response.status, html, title: /<title>([^<]*)/.exec(html)?.[1] }
}

/** Where the page of a payment leads while the bank asks. */
export async function bankOf(path: string): Promise<string> {
  const on = /href="([^"]+\/bank\?lang=en)"/.exec((await pageOf(path)).html)![1]!
  return (await open(on)).headers.get('location')!
}

/** All rows of a tenant as one text: a mere read must not change it. */
export async function rowsOf({ tenantId }: Merchant): Promise<string> {
  const rows = await adminSql('sandbox')(
    ['payment_links', 'payments', 'payment_attempts', 'events', 'ledger_postings', 'idempotency_claims']
      .map(
        (table) => `select '${table}' as name, to_jsonb(t)::text as row from ${table} t where tenant_id = $1`,
      )
      .join(' union all ')
      .concat(' order by 1, 2'),
    [tenantId],
  )
  expect(rows.length).toBeGreaterThan(0)
  return JSON.stringify(rows)
}
