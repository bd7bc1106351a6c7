import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import type { LinkKind } from '../../../functions/account/mails/api.ts'
import { lifeMs as invitedMs } from '../../../functions/account/members/plan-invitations.ts'
import { keptMs } from '../../../functions/insight/reporting/plan.ts'
import { payerCookieSeconds } from '../../../functions/page/hosted-payment/pages/result/payment-cookie.ts'
import { PROJECT } from '../../../local/project.ts'
import { openUnderPeppers } from '../../../local/reencrypt.ts'

// What an operator must know before a version of a secret is removed.

const row = (variable: string) =>
  readFileSync(join(PROJECT, 'docs/deploying.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${variable}\` |`))!

test('every table with a version of the peppers is counted', async () => {
  const paths = globSync('drizzle/schema/*.ts', { cwd: PROJECT })
  const schemas = await Promise.all(paths.map((path) => import(join(PROJECT, path)) as Promise<object>))
  const tables = [...new Set(schemas.flatMap((schema) => Object.values(schema)))]
    .filter((exported): exported is PgTable => is(exported, PgTable))
    .map(getTableConfig)
  const peppered = tables.filter(({ columns }) => columns.some(({ name }) => name === 'pepper_version'))
  expect(Object.keys(openUnderPeppers).sort()).toEqual(peppered.map(({ name }) => name).sort())
  expect(row('API_KEY_PEPPERS')).toContain('`device.rotate_credential`')
})

/** How many days the link of each kind works under the version that made it; null: for good. */
const days: Readonly<Record<LinkKind, number | null>> = {
  confirm_address: 1,
  reset_password: 1 / 24,
  checkout_recovery: 720 / 24,
  workspace_invitation: invitedMs / 86_400_000,
  report_ready: keptMs / 86_400_000,
  end_reminders: 30,
  own_payment: null,
}

test('a version of AUTH_SECRETS is kept as long as the longest link that ends, and what has no end is said', () => {
  const [, kept = ''] = /(\d+) days after step 2/.exec(row('AUTH_SECRETS')) ?? []
  const ends = Object.values(days).flatMap((each) => each ?? [])
  expect(Number(kept)).toBeGreaterThanOrEqual(Math.max(...ends, payerCookieSeconds / 86_400))
  expect(row('AUTH_SECRETS')).toContain('`payments.send_receipt`')
})
