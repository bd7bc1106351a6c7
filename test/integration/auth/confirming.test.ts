import { beforeAll, expect, test } from 'vitest'
import { linkToken } from '../../../functions/account/mails/api.ts'
import { totp } from '../../../local/totp.ts'
import { adminSql } from '../../support/stack.ts'
import { type Harness, startHarness } from './harness.ts'
import { addPasskey, password, signIn, signInWith, signUp, signUpWithTotp } from './people.ts'

const sql = adminSql('identity')
const new_password = 'another horse battery'
let harness: Harness
beforeAll(() => {
  harness = startHarness()
})

/** Signed up with an address of another person, who reads its mails: an authenticator, a passkey, two sessions. */
async function squatted() {
  const person = await signUpWithTotp(harness)
  const { passkey } = await addPasskey(harness, person.token)
  const second = await signInWith(harness, passkey)
  expect(second.status).toBe(200)
  const underWay = await signIn(harness, person.email)
  const { two_factor_token } = underWay.body
  return { ...person, passkey, tokens: [person.token, second.body.token], two_factor_token }
}
type Squatted = Awaited<ReturnType<typeof squatted>>
type Person = Pick<Squatted, 'userId' | 'email'>

async function linkFor({ userId, email }: Person, kind: 'confirm_address' | 'reset_password') {
  if (kind === 'reset_password') await harness.post('/request-password-reset', { email })
  const [mail] = await sql<{ id: string }>(
    'select id from mails where user_id = $1 and kind = $2 order by created_at desc limit 1',
    [userId, kind],
  )
  return linkToken(harness.access.secrets, '1', { kind, id: mail!.id })
}
const reset = async (person: Person) =>
  harness.post('/reset-password', { token: await linkFor(person, 'reset_password'), new_password })
const confirm = async (person: Person, bearer?: string) =>
  harness.post('/verify-email', { token: await linkFor(person, 'confirm_address') }, { bearer })

const disable = (bearer: string) => harness.post('/two-factor/disable', { password }, { bearer })

const leftOf = async ({ userId }: Pick<Person, 'userId'>) =>
  (
    await sql<Record<string, unknown>>(
      `select email_verified, two_factor_enabled,
         (select count(*)::int from passkeys where user_id = $1) passkeys,
         (select count(*)::int from two_factors where user_id = $1) two_factors,
         (select count(*)::int from sessions where user_id = $1) sessions
       from users where id = $1`,
      [userId],
    )
  )[0]
const nothing = { email_verified: true, two_factor_enabled: false, passkeys: 0, two_factors: 0, sessions: 0 }
const everything = { two_factor_enabled: true, passkeys: 1, two_factors: 1 }

/** None of what was enrolled opens the account. */
async function expectShut({ passkey, tokens, two_factor_token, secret, backupCodes }: Squatted) {
  expect((await signInWith(harness, passkey)).status).toBe(401)
  for (const bearer of tokens) expect((await harness.get('/get-session', { bearer })).status).toBe(401)
  const code = await totp(secret)
  expect((await harness.post('/two-factor/verify-totp', { code, two_factor_token })).status).toBe(401)
  const backup = { code: backupCodes[0], two_factor_token }
  expect((await harness.post('/two-factor/verify-backup-code', backup)).status).toBe(401)
}

test('a password set by mail removes what was enrolled before the address was confirmed', async () => {
  const person = await squatted()
  expect((await reset(person)).status).toBe(200)
  expect(await leftOf(person)).toEqual(nothing)
  await expectShut(person)
  expect((await signIn(harness, person.email)).status).toBe(401)
  const own = await harness.post('/sign-in/email', { email: person.email, password: new_password })
  expect([own.status, own.body.two_factor_methods]).toEqual([200, undefined])
  // The owner's own factors then stay.
  expect((await addPasskey(harness, own.body.token)).registered.status).toBe(200)
  expect((await reset(person)).status).toBe(200)
  expect(await leftOf(person)).toMatchObject({ passkeys: 1 })
})

test('confirming without a session does the same; what is enrolled within a week goes with a new password', async () => {
  const person = await squatted()
  expect((await confirm(person)).status).toBe(200)
  expect(await leftOf(person)).toEqual(nothing)
  await expectShut(person)
  // The password is still the squatter's, who enrols again.
  const again = await signIn(harness, person.email)
  const { passkey, registered } = await addPasskey(harness, again.body.token)
  expect(registered.status).toBe(200)
  expect((await confirm(person)).status).toBe(200)
  expect(await leftOf(person)).toMatchObject({ passkeys: 1 })
  expect((await reset(person)).status).toBe(200)
  expect(await leftOf(person)).toEqual(nothing)
  expect((await signInWith(harness, passkey)).status).toBe(401)
})

test('confirming with a session of the account keeps everything; with another session it does nothing', async () => {
  const [person, other] = [await squatted(), await squatted()]
  expect((await confirm(person, other.token)).body.error).toMatchObject({ code: 'session_invalid' })
  expect((await confirm(person, 'x'.repeat(76))).status).toBe(401)
  expect(await leftOf(person)).toMatchObject({ ...everything, email_verified: false, sessions: 2 })
  expect((await confirm(person, person.token)).status).toBe(200)
  expect(await leftOf(person)).toMatchObject({ ...everything, email_verified: true, sessions: 2 })
  expect((await reset(person)).status).toBe(200)
  expect(await leftOf(person)).toMatchObject(everything)
})

test('a factor whose enrolment was under way is not enrolled', async () => {
  const person = await squatted()
  harness.before('insert into "passkeys"', async () => {
    expect((await confirm(person)).status).toBe(200)
  })
  const { registered } = await addPasskey(harness, person.token)
  expect([registered.status, registered.body.error.code]).toEqual([401, 'session_invalid'])
  expect(await leftOf(person)).toEqual(nothing)
})

test('nor is an authenticator that is confirmed while its session, or it, is removed', async () => {
  for (const end of ['confirm', 'reset', 'disable'] as const) {
    const person = await signUp(harness)
    const { token: bearer, userId, email } = person
    const other = (await signIn(harness, email)).body.token
    const begun = await harness.post('/two-factor/enable', { password }, { bearer })
    const code = await totp(new URL(begun.body.totp_uri).searchParams.get('secret')!)
    harness.before('accept_time_step', async () => {
      const ended = { confirm, reset, disable: () => disable(other) }[end](person)
      expect((await ended).status).toBe(200)
    })
    const late = await harness.post('/two-factor/verify-totp', { code }, { bearer })
    expect([end, late.status, late.body.error?.code]).toEqual([end, 409, 'second_factor_not_enrolled'])
    expect(await leftOf({ userId })).toMatchObject({ two_factor_enabled: false, two_factors: 0 })
    const chosen = end === 'reset' ? new_password : password
    const again = await harness.post('/sign-in/email', { email, password: chosen })
    expect([again.status, again.body.two_factor_methods]).toEqual([200, undefined])
  }
})

test('a session that was ended registers no passkey', async () => {
  const { token, userId, email } = await signUp(harness)
  const own = (await signIn(harness, email)).body.token
  harness.before('insert into "passkeys"', async () => {
    expect((await harness.post('/revoke-other-sessions', undefined, { bearer: own })).status).toBe(200)
  })
  const { registered } = await addPasskey(harness, token)
  expect([registered.status, registered.body.error.code]).toEqual([401, 'session_invalid'])
  expect(await leftOf({ userId })).toMatchObject({ passkeys: 0, sessions: 1 })
})

test('a session that was ended confirms no authenticator', async () => {
  const { token: bearer, userId, email } = await signUp(harness)
  const own = (await signIn(harness, email)).body.token
  const begun = await harness.post('/two-factor/enable', { password }, { bearer })
  const code = await totp(new URL(begun.body.totp_uri).searchParams.get('secret')!)
  harness.before('accept_time_step', async () => {
    expect((await harness.post('/revoke-other-sessions', undefined, { bearer: own })).status).toBe(200)
  })
  const late = await harness.post('/two-factor/verify-totp', { code }, { bearer })
  expect([late.status, late.body.error?.code]).toEqual([409, 'second_factor_not_enrolled'])
  expect(await leftOf({ userId })).toMatchObject({ two_factor_enabled: false, sessions: 1 })
})

test('the database removes them whatever statement of a Worker confirms', async () => {
  const person = await squatted()
  await harness.access.sql('update users set email_verified = true where id = $1', [person.userId])
  expect(await leftOf(person)).toEqual(nothing)
})

test('fifty at once of one link: one sets a password', async () => {
  const person = await squatted()
  const token = await linkFor(person, 'reset_password')
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => harness.post('/reset-password', { token, new_password })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 410]))
  expect(await leftOf(person)).toEqual(nothing)
})
