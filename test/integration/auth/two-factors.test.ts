import { describe, expect, test } from 'vitest'
import { authRoutes } from '../../../functions/account/auth/routes.ts'
import { totp } from '../../../local/totp.ts'
import { type Harness, startHarness } from './harness.ts'
import {
  addPasskey,
  forgetUsedCodes,
  password,
  sessionOf,
  signIn,
  signInWith,
  signUp,
  signUpWithTotp,
} from './people.ts'

/*
 * Where an account has a second factor, a password is only the first step, and a session of a password alone opens
 * nothing.
 */

const harness = startHarness()

const shownBy = async (token: string) => (await sessionOf(harness, token)).secondFactor
const sessionsOf = async (userId: string) =>
  (await harness.owner.query('select from sessions where user_id = $1', [userId])).rowCount

type Enrolled = { methods: string[]; enrol: () => Promise<{ email: string; userId: string; token: string }> }

const accounts: [what: string, Enrolled][] = [
  ['a passkey', { methods: ['webauthn'], enrol: async () => withPasskey(await signUp(harness)) }],
  ['an authenticator', { methods: ['totp', 'backup_code'], enrol: () => signUpWithTotp(harness) }],
  [
    'both',
    {
      methods: ['webauthn', 'totp', 'backup_code'],
      enrol: async () => withPasskey(await signUpWithTotp(harness)),
    },
  ],
  [
    'a passkey, and an authenticator no longer',
    {
      methods: ['webauthn'],
      enrol: async () => {
        const person = await withPasskey(await signUpWithTotp(harness))
        const { body } = await harness.post('/two-factor/disable', { password }, { bearer: person.token })
        return { ...person, token: body.token }
      },
    },
  ],
]

async function withPasskey<Person extends { token: string }>(person: Person): Promise<Person> {
  const { registered } = await addPasskey(harness, person.token)
  expect(registered.status).toBe(200)
  return person
}

describe.each(accounts)('an account with %s', (_what, { methods, enrol }) => {
  test('a password begins no session: the reply asks for a second factor', async () => {
    const { email, userId, token } = await enrol()
    const before = await sessionsOf(userId)
    const { status, body, headers } = await signIn(harness, email)
    expect(status).toBe(200)
    expect(body).toEqual({
      two_factor_redirect: true,
      two_factor_methods: methods,
      ...(methods.includes('totp') && { two_factor_token: expect.stringMatching(/^2fa-/) }),
    })
    expect(headers.get('set-auth-token')).toBeNull()
    expect(await sessionsOf(userId)).toBe(before)
    expect(await shownBy(token)).toBe('shown')
  })

  test('a session from before enrolment says that the factor is needed, can sign out, and does nothing else', async () => {
    const { email, userId, token } = await enrol()
    const { rows } = await harness.owner.query('select id from sessions where user_id = $1', [userId])
    await harness.owner.query('update sessions set factor_verified_at = null where user_id = $1', [userId])
    expect(rows).toHaveLength(1)
    expect(await shownBy(token)).toBe('needed')
    for (const { id, method, path, guard, body } of authRoutes) {
      if (guard !== 'shown' && guard !== 'recent') continue
      const sent = body && bodies[id.slice('auth.'.length) as keyof typeof bodies]
      const to = path.replace('/v1/auth', '')
      const reply =
        method === 'GET'
          ? await harness.get(to, { bearer: token })
          : await harness.post(to, sent, { bearer: token })
      const code = guard === 'shown' ? 'second_factor_required' : 'second_factor_needed'
      expect([id, reply.status, reply.body.error?.code]).toEqual([id, 403, code])
    }
    expect((await harness.get('/get-session', { bearer: token })).body).toMatchObject({
      session: { second_factor: 'needed' },
      user: { email },
    })
    expect((await harness.post('/sign-out', {}, { bearer: token })).status).toBe(200)
  })
})

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
const bodies = {
  revoke_session: { id: 'x' },
  update_user: { name: 'Eve' },
  change_password: { current_password: password, new_password: `${password}!` },
  'two_factor.enable': { password },
  'two_factor.generate_backup_codes': { password },
  'two_factor.disable': { password },
  'passkey.register': {
    response: { ...credential, response: { clientDataJSON: 'e', attestationObject: 'o' } },
  },
  'passkey.rename': { id: 'x', name: 'Eve' },
  'passkey.delete': { id: 'x' },
}

describe('what a session has shown', () => {
  test('is nothing after a password alone, and a factor once one is enrolled in it', async () => {
    const { email, token } = await signUp(harness)
    const other = (await signIn(harness, email)).body.token
    expect([await shownBy(token), await shownBy(other)]).toEqual(['none', 'none'])
    const { passkey } = await addPasskey(harness, token)
    expect([await shownBy(token), await shownBy(other)]).toEqual(['shown', 'needed'])
    expect(await shownBy((await signInWith(harness, passkey)).body.token)).toBe('shown')
  })

  test('is gone from all of them with the last factor, and does not come back with another', async () => {
    const { userId, token, secret, email } = await signUpWithTotp(harness)
    const { registered } = await addPasskey(harness, token)
    const { two_factor_token } = (await signIn(harness, email)).body
    const second = await harness.post('/two-factor/verify-totp', {
      code: await totp(secret),
      two_factor_token,
    })
    const other = second.body.token
    const disabled = await harness.post('/two-factor/disable', { password }, { bearer: token })
    const now = disabled.body.token
    expect([await shownBy(now), await shownBy(other)]).toEqual(['shown', 'shown'])
    await harness.post('/passkey/delete-passkey', { id: registered.body.id }, { bearer: now })
    expect([await shownBy(now), await shownBy(other)]).toEqual(['none', 'none'])
    await addPasskey(harness, now)
    expect([await shownBy(now), await shownBy(other)]).toEqual(['shown', 'needed'])
    expect(userId).toBeTruthy()
  })

  test('carries over to the session that a new password begins', async () => {
    const { userId, token, email, secret } = await signUpWithTotp(harness)
    const new_password = `${password}!`
    const changed = await harness.post(
      '/change-password',
      { current_password: password, new_password },
      { bearer: token },
    )
    expect(await shownBy(changed.body.token)).toBe('shown')
    await forgetUsedCodes(harness, userId)
    const first = await harness.post('/sign-in/email', { email, password: new_password })
    const { two_factor_token } = first.body
    const again = await harness.post('/two-factor/verify-totp', {
      code: await totp(secret),
      two_factor_token,
    })
    expect(again.status).toBe(200)
  })

  test('an enrolment begun with a password alone cannot be finished once another factor exists', async () => {
    const { email, token } = await signUp(harness)
    const eve = (await signIn(harness, email)).body.token
    const begun = await harness.post('/two-factor/enable', { password }, { bearer: eve })
    const secret = new URL(begun.body.totp_uri).searchParams.get('secret')!
    await addPasskey(harness, token)
    const reply = await harness.post('/two-factor/verify-totp', { code: await totp(secret) }, { bearer: eve })
    expect([reply.status, reply.body.error.code]).toEqual([409, 'second_factor_not_enrolled'])
    expect(await shownBy(eve)).toBe('needed')
  })

  test('the database refuses a session that shows a factor its account does not have', async () => {
    const { userId, token } = await signUp(harness)
    await markAll(harness, userId)
    expect((await sessionOf(harness, token)).factorVerifiedAt).toBeNull()
  })
})

const markAll = ({ owner }: Harness, userId: string) =>
  owner.query('update sessions set factor_verified_at = now() where user_id = $1', [userId])
