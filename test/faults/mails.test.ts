import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { mailsTo } from '../../local/mailbox.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import { survivors } from '../support/books.ts'
import { join, newEmail } from '../support/customer.ts'
import { killReconciler } from '../support/drills.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { failMails, newOutgoing, outgoingDue, outgoingOf } from '../support/mails.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { adminSql, control, faults, stack, trigger } from '../support/stack.ts'

afterEach(() => faults.clear())

const sql = adminSql('identity')

/** An account of whose making no mail is on its way. */
async function newPerson(): Promise<{ id: string; email: string }> {
  const [id, email] = [uuidv7(Date.now()), newEmail()]
  await sql('insert into users (id, name, email) values ($1, $2, $3)', [id, 'Ana', email])
  return { id, email }
}
type Person = Awaited<ReturnType<typeof newPerson>>

const askFor = ({ email }: Person) => call('POST', '/v1/auth/request-password-reset', { body: { email } })

const waiting = async ({ id }: Person) =>
  (await sql(`select from mails where user_id = $1 and status = 'waiting'`, [id])).length

/** As if every wait of the person's mails had ended. */
const timePasses = ({ id }: Person) =>
  sql(
    `update mails set next_attempt_at = now() - interval '1 second' where user_id = $1 and status = 'waiting'`,
    [id],
  )

/** Sweeps until nothing waits, as the coming minutes would; then counts what arrived. */
async function everythingArrives(person: Person, count: number) {
  await expect
    .poll(
      async () => {
        await timePasses(person)
        await trigger('sandbox')
        return waiting(person)
      },
      { timeout: 60_000 },
    )
    .toBe(0)
  const mails = await mailsTo(stack.mailboxUrl, person.email)
  expect(mails).toHaveLength(count)
  return mails
}

/** Sweeps as the coming minutes would, until this is what is there. */
const sweptUntil = (found: () => Promise<unknown>, wanted: unknown) =>
  expect.poll(() => trigger('sandbox').then(found), { timeout: 30_000 }).toEqual(wanted)

const sent = { status: 'sent', recipient: null, data: {} }

type Kill = { name: string; contains: string; mode: NeonFaultMode; mails: number; database?: 'identity' }
const [request, claim, record] = ['request_mail(', 'for update skip locked', 'jsonb_to_recordset']
const kills: Kill[] = [
  { name: 'before the commit', contains: request, mode: 'hang', mails: 0 },
  { name: 'between commit and message', contains: request, mode: 'late-commit', mails: 1 },
  { name: 'before the claim', contains: claim, mode: 'hang', mails: 1 },
  { name: 'between claim and send', contains: claim, mode: 'late-commit', mails: 1 },
  { name: 'between send and record', contains: record, mode: 'hang', mails: 1 },
  { name: 'while it is recorded', contains: record, mode: 'late-commit', mails: 1 },
]

test('the Worker is killed on the way from a request to its mail', async () => {
  await survivors('Worker killed around a mail', kills, async ({ contains, mode, mails }) => {
    const person = await newPerson()
    const fault = await faults.neon({ mode, match: { database: 'identity', contains } })
    const asked = askFor(person).catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await asked
    await faults.clear()
    if (contains === request && mode === 'late-commit') await expect.poll(() => waiting(person)).toBe(1)
    await everythingArrives(person, mails)
  })
})

const noticeKills: Kill[] = [
  { name: 'before it is read', contains: 'from "mail_notices"', mode: 'hang', mails: 1 },
  { name: 'before the outbox', contains: 'insert into mails', mode: 'hang', mails: 1, database: 'identity' },
  {
    name: 'after the outbox',
    contains: 'insert into mails',
    mode: 'late-commit',
    mails: 1,
    database: 'identity',
  },
  { name: 'before the record', contains: 'door.publish', mode: 'hang', mails: 1 },
  { name: 'after the record', contains: 'door.publish', mode: 'late-commit', mails: 1 },
]

test('the Worker is killed on the way from a notice to its mail', async () => {
  const merchant = await newMerchant()
  await survivors('Worker killed around a notice', noticeKills, async ({ mails, ...strike }) => {
    const person = await newPerson()
    await sql('update users set email_verified = true where id = $1', [person.id])
    await join({ userId: person.id, email: person.email }, merchant)
    await adminSql('sandbox')(
      `insert into mail_notices (tenant_id, id, kind, data, status, created_at, updated_at)
       values ($1, $2, 'api_key_created', '{"description":"Storefront"}', 'waiting', now(), now())`,
      [merchant.tenantId, randomUUID()],
    )
    await killReconciler(strike)
    const waits = `select from mail_notices where tenant_id = $1 and status = 'waiting'`
    await sweptUntil(() => adminSql('sandbox')(waits, [merchant.tenantId]), [])
    await everythingArrives(person, mails)
    await adminSql('sandbox')('update memberships set status = $2 where user_id = $1', [person.id, 'removed'])
  })
})

const outgoingKills: { name: string; contains: string; mode: NeonFaultMode }[] = [
  { name: 'between claim and send', contains: 'from "outgoing_mails"', mode: 'hang' },
  { name: 'between send and record', contains: 'door.publish', mode: 'hang' },
  { name: 'while it is recorded', contains: 'door.publish', mode: 'late-commit' },
]

test('the Worker is killed on the way of a mail to a person without an account: sent once, and forgotten', async () => {
  const { tenantId } = await newMerchant()
  await survivors('Worker killed around an outgoing mail', outgoingKills, async ({ contains, mode }) => {
    const [to, id] = [newEmail(), randomUUID()]
    await newOutgoing(tenantId, id, to)
    await killReconciler({ contains, mode })
    await sweptUntil(() => outgoingDue(id).then(() => outgoingOf(id)), sent)
    expect(await mailsTo(stack.mailboxUrl, to)).toHaveLength(1)
  })
})

test.each(['reset-after-commit', 'refuse', 'truncated-json'] as const)(
  'the database is cut off while a mail is recorded (%s): handed over again, sent once',
  async (mode) => {
    const person = await newPerson()
    const fault = await faults.neon({ mode, match: { database: 'identity', contains: record } })
    await askFor(person)
    await fault.hit()
    await everythingArrives(person, 1)
  },
)

test('a provider that times out, fails or is busy, before or after it took the mail: sent once', async () => {
  const modes = ['time_out', 'time_out_after', '500', '500_after', '429', 'cut_after'] as const
  const people = await Promise.all(
    modes.map(async (mode) => {
      const person = await newPerson()
      await failMails(person.email, mode, 2)
      await askFor(person)
      return { mode, person }
    }),
  )
  for (const { mode, person } of people) {
    const [mail] = await everythingArrives(person, 1)
    // Of three times, the provider took the mail each time, or the last time.
    expect(mail!.handedOver, mode).toBeGreaterThanOrEqual(mode.endsWith('_after') ? 3 : 1)
  }
})

test('three sweeps at once hand each mail over once', async () => {
  await control.reconfigure('sandbox', { queuesLose: true })
  try {
    const people = await Promise.all(Array.from({ length: 20 }, newPerson))
    for (const person of people) await askFor(person)
    await Promise.all([1, 2, 3].map(() => control.trigger('sandbox')))
    for (const person of people) expect(await everythingArrives(person, 1)).toMatchObject([{ handedOver: 1 }])
  } finally {
    await control.reconfigure('sandbox')
  }
})

test('nothing is sent after the provider may have forgotten the key', async () => {
  const person = await newPerson()
  await sql(
    `insert into mails (id, user_id, kind, data, created_at, expires_at)
     values ($1, $2, 'new_sign_in', '{"ip_address":"192.0.2.1"}', now() - interval '23 hours', now() + interval '1 hour')`,
    [randomUUID(), person.id],
  )
  await everythingArrives(person, 0)
  expect(await sql('select status, data from mails where user_id = $1', [person.id])).toEqual([
    { status: 'given_up', data: {} },
  ])
})
