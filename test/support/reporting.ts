import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { call, type Merchant } from './merchant.ts'
import { adminSql, trigger } from './stack.ts'

type Sums = Record<string, string>
export type Run = {
  id: string
  status: string
  rows_count: number
  opening: Sums | null
  closing: Sums | null
  sha256: string | null
  failure: string | null
  as_of: string | null
}
const dayNow = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City', dateStyle: 'short' }).format(new Date())

/** The day in Mexico City when the tests began. */
export const today = dayNow()

export const getReport = <T>({ apiKey: bearer }: Merchant, path: string) =>
  call<T>('GET', `/v1/reporting${path}`, { bearer })

/** A run of a period, or since the tests began: midnight may come meanwhile. */
export async function started(
  merchant: Merchant,
  type: string,
  from = today,
  to = from === today ? dayNow() : from,
  more: object = {},
) {
  const { status, body, text } = await call<Run>('POST', '/v1/reporting/runs', {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { type, period: { from, to }, ...more },
  })
  if (status !== 201) throw new Error(text)
  return body
}

export type Verified = {
  equal: boolean
  file: string
  differences: { figure: string; currency: string | null; stored: string | null; found: string | null }[]
  error?: { code: string }
}
export const verify = ({ apiKey: bearer }: Merchant, { id }: { readonly id: string }) =>
  call<Verified>('POST', `/v1/reporting/runs/${id}/verify`, { bearer })

/** Other files of this stack briefly hold transactions open, for which a run waits. */
export async function over(merchant: Merchant, { id }: { readonly id: string }) {
  let run: Run | undefined
  await expect
    .poll(
      async () => {
        await adminSql('sandbox')(
          `update report_runs set next_check_at = now() where id = $1 and next_check_at is not null`,
          [id],
        )
        await trigger('sandbox')
        run = (await getReport<Run>(merchant, `/runs/${id}`)).body
        return run.status
      },
      { timeout: 120_000 },
    )
    .not.toMatch(/queued|running/)
  return run!
}
