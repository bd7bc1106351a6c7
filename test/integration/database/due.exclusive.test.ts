import { expect, test } from 'vitest'
import { Client } from '../../support/postgres.ts'
import { counts, stack, trigger } from '../../support/stack.ts'

/** Jobs that every run starts. */
const always = [
  'audit',
  'deposits',
  'dispute_notifications',
  'fraud_warning_notifications',
  'identity',
  'mails',
  'refund_notifications',
]

const isIdle = () =>
  expect
    .poll(
      async () => {
        const { calls } = await counts.during(() => trigger('live'))
        return calls.neon
          .filter(({ database }) => database === 'live')
          .map(({ statements }) => /door\.(?!call\b)\w+/.exec(statements.join())?.[0])
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toEqual(['door.waiting_jobs', 'door.anchor_audit'])

test('a run that finds nothing due asks its database for jobs and for audit heads, each once', isIdle)

const ago = (days: number) => `now() - interval '${days} days'`
const delivery = (columns: string, values: string) =>
  `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status, attempts_count,
     created_at, updated_at, ${columns})
   values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'payment.created', 'event', ${values})`
const notification = (next: string, received: string) =>
  `insert into processor_notifications (processor, account, event_id, kind, reference, received_at, tries_count, next_try_at)
   values ('stripe', '', 'evt_none', 'attempt', 'pi_none', ${received}, 1, ${next})`

test.each([
  [
    'claims',
    `insert into idempotency_claims (tenant_id, operation, key, fingerprint, publish_id, reply_status, reply_body,
       created_at, expires_at)
     values (gen_random_uuid(), 'payment_links.create', repeat('0', 64), 'print', uuidv7(interval '-31 days'), 201, '{}', ${ago(2)}, ${ago(1)})`,
  ],
  [
    'claims',
    `insert into due_failures (job, tenant_id, id, failures_count, next_try_at)
     values ('funds', gen_random_uuid(), gen_random_uuid(), 1, ${ago(2)})`,
  ],
  [
    'claims',
    `insert into step_up_challenges (tenant_id, id, user_id, session_id, environment, action, scope, idempotency_key,
       params_hash, status, passkey_challenge, challenge_expires_at, created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid(), 'usr', 'ses', 'live', 'api_key.create', 'api_keys:write',
       repeat('0', 64), repeat('0', 64), 'pending', 'challenge', ${ago(1)}, ${ago(1)}, ${ago(1)})`,
  ],
  ['notifications', notification(ago(1), ago(2))],
  ['notifications', notification('null', ago(31))],
  ['webhook_history', delivery('finished_at', `'succeeded', 1, ${ago(40)}, ${ago(40)}, ${ago(32)}`)],
  [
    'webhook_history',
    `insert into webhook_recoveries (tenant_id, id, endpoint_id, since, until, status, deliveries_count, steps_count,
       created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), ${ago(41)}, ${ago(40)}, 'completed', 0, 1, ${ago(40)}, ${ago(40)})`,
  ],
  [
    'webhook_history',
    `insert into webhook_secrets (tenant_id, id, endpoint_id, ciphertext, expires_at, created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'v1.x', ${ago(2)}, ${ago(40)}, ${ago(2)})`,
  ],
  [
    'outgoing_mails',
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid(), 'workspace_invitation', 'en', 'ana@example.com', '{}', 'waiting', ${ago(1)}, ${ago(1)}, ${ago(1)})`,
  ],
  [
    'old_mails',
    `insert into outgoing_mails (tenant_id, id, kind, locale, data, status, created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid(), 'workspace_invitation', 'en', '{}', 'sent', ${ago(31)}, ${ago(31)})`,
  ],
  ['webhooks', delivery('next_attempt_at', `'retrying', 1, ${ago(1)}, ${ago(1)}, now() + interval '1 day'`)],
])('%s', async (job, insert) => {
  await isIdle()
  const admin = new Client(stack.databases.live.adminUrl)
  await admin.connect()
  try {
    await admin.query(`begin; set local session_replication_role = replica`)
    await admin.query(insert)
    const { rows } = await admin.query('select door.waiting_jobs(now()) as jobs')
    expect([...rows[0].jobs].sort()).toEqual([...always, job].sort())
  } finally {
    await admin.end()
  }
})
