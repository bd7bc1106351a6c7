import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { mailsTo, type ReceivedMail } from '../../local/mailbox.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import { survivors } from '../support/books.ts'
import { join, newEmail } from '../support/customer.ts'
import { beforeAndAfter, dies, killReconciler } from '../support/drills.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import {
  bouncedAtSandbox,
  failMails,
  newOutgoing,
  outgoingDue,
  outgoingOf,
  received,
  report,
} from '../support/mails.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { adminSql, control, counts, faults, stack, trigger } from '../support/stack.ts'

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
  expect.poll(() => trigger('sandbox').then(found)).toEqual(wanted)

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

test('the Worker is killed over a report: repeated, it suppresses once', async () => {
  const { tenantId } = await newMerchant()
  for (const mode of ['hang', 'late-commit'] as const) {
    const [to, id] = [newEmail(), randomUUID()]
    await newOutgoing(tenantId, id, to)
    await trigger('sandbox')
    const [mail] = await received(to)
    await dies({ contains: 'report_mail', mode }, () => report(mail!, 'bounced'))
    for (const _ of [1, 2]) expect(await report(mail!, 'bounced'), mode).toEqual([200, 200])
    const found = `select m.report, count(s.*)::int from outgoing_mails m join mail_suppressions s
      on s.tenant_id = m.tenant_id and s.recipient_digest = m.recipient_digest where m.id = $1 group by 1`
    expect(await adminSql('sandbox')(found, [id]), mode).toEqual([{ report: 'bounced', count: 1 }])
  }
})

const reportKills = beforeAndAfter.map(({ mode }) => ({ contains: 'report_mail', mode }))

test('the Worker is killed over a report of an account’s mail: repeated, it suppresses once', async () => {
  const accountMails = {
    reset_password: (person: Person) => askFor(person).then(() => {}),
    new_sign_in: async ({ id }: Person) => {
      await sql(
        `insert into mails (id, user_id, kind, data, expires_at)
         values ($1, $2, 'new_sign_in', '{"ip_address":"192.0.2.1"}', now() + interval '1 day')`,
        [randomUUID(), id],
      )
    },
  }
  const cases = Object.values(accountMails).flatMap((cause) =>
    reportKills.map((kill) => ({ ...kill, cause })),
  )
  await survivors('Worker killed over a report of an account’s mail', cases, async ({ cause, ...kill }) => {
    const person = await newPerson()
    await cause(person)
    const [mail] = await everythingArrives(person, 1)
    await dies({ ...kill, database: 'identity' }, () => bouncedAtSandbox(mail!))
    for (const _ of [1, 2]) expect(await bouncedAtSandbox(mail!)).toBe(200)
    const found = `select m.report, s.reason from mails m join mail_suppressions s on s.user_id = m.user_id
      where m.user_id = $1`
    expect(await sql(found, [person.id])).toEqual([{ report: 'bounced', reason: 'hard_bounce' }])
    // What the person asks for is mailed still, and nothing else.
    await accountMails.new_sign_in(person)
    await askFor(person)
    expect(
      (await everythingArrives(person, 2)).filter(({ subject }) => /contraseña/.test(subject)),
    ).not.toEqual([])
  })
})

const clickKills = [
  ...reportKills.map((kill) => ({ ...kill, ended: kill.mode === 'hang' ? 0 : 1 })),
  { contains: 'reminders_of', mode: 'hang', ended: 1 },
] as const

test('the Worker is killed over the one click that ends reminders: clicked again, they have ended once', async () => {
  await survivors('Worker killed over a click', clickKills, async ({ ended, ...kill }) => {
    const { tenantId } = await newMerchant()
    const [to, first, second] = [newEmail(), randomUUID(), randomUUID()]
    await newOutgoing(tenantId, first, to, 0, 'payment_reminder')
    await trigger('sandbox')
    const [mail] = await received(to)
    const { pathname, search } = new URL(/<(.*)>/.exec(mail!.headers['List-Unsubscribe'] ?? '')![1]!)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const click = () => fetch(stack.sandbox.directUrl + pathname + search, { method: 'POST', body })
    const suppressions = () =>
      adminSql('sandbox')('select reason from mail_suppressions where tenant_id = $1', [tenantId])
    await dies(kill, click)
    await expect.poll(suppressions).toHaveLength(ended)
    for (const _ of [1, 2]) expect((await click()).status).toBe(200)
    expect(await suppressions()).toEqual([{ reason: 'unsubscribed' }])
    await newOutgoing(tenantId, second, to, 0, 'payment_reminder')
    await sweptUntil(() => outgoingOf(second), { ...sent, status: 'suppressed' })
    expect(await mailsTo(stack.mailboxUrl, to)).toHaveLength(1)
  })
})

test('two hundred mails of one workspace go in forty sets, in the order in which they are due, each once', async () => {
  const { tenantId } = await newMerchant()
  const run = randomUUID().slice(-12)
  await adminSql('sandbox')(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     select $1, gen_random_uuid(), 'payment_receipt', 'en', 'm' || n || '.' || $2::text || '@example.com', '{"page":"/"}', 'waiting',
       now() - interval '1 minute' + n * interval '1 millisecond', now(), now() from generate_series(0, 199) n order by random()`,
    [tenantId, run],
  )
  const start = await counts.start()
  const waits = `select from outgoing_mails where tenant_id = $1 and status = 'waiting'`
  await sweptUntil(() => adminSql('sandbox')(waits, [tenantId]), [])
  const { neon } = await counts.since(start)
  const holding = (text: string) =>
    neon.filter(({ statements }) => statements.some((each) => each.includes(text))).length
  // Read and published set by set, instead of mail by mail.
  expect(holding('from "outgoing_mails"')).toBeLessThanOrEqual(45)
  expect(holding('door.publish')).toBeLessThanOrEqual(55)
  const all = (await (await fetch(`${stack.mailboxUrl}/mails.json`)).json()) as ReceivedMail[]
  const own = all.filter(({ to }) => to.endsWith(`.${run}@example.com`)).reverse()
  const arrived = own.map(({ to }) => Number(/^m(\d+)/.exec(to)![1]))
  expect([...arrived].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n))
  expect(own.every(({ handedOver }) => handedOver === 1)).toBe(true)
  // Five sets of five are under way at a time.
  const early = arrived.map((n, at) => n - at)
  expect(Math.max(...early)).toBeLessThan(60)
})
