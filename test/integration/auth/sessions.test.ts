import { describe, expect, test } from 'vitest'
import { sessionFromBearer } from '../../../functions/account/auth/session.ts'
import { linkToken } from '../../../functions/account/mails/api.ts'
import { totp } from '../../../local/totp.ts'
import { type ListedSession, startHarness } from './harness.ts'
import { letAnHourPass, longestPassword, password, signIn, signUp, signUpWithTotp } from './people.ts'

const harness = startHarness()

const statusOf = async (token: string) => (await harness.get('/get-session', { bearer: token })).status

describe('sessionFromBearer', () => {
  test('reads a live session in one trip', async () => {
    const { email, userId, token } = await signUp(harness)
    const { sql, secrets } = harness.access
    const { trips, value } = await harness.trips(() => sessionFromBearer(sql, secrets, token))
    expect(trips).toBe(1)
    expect(value).toMatchObject({
      userId,
      email,
      emailVerified: false,
      name: 'Ana',
      twoFactorEnabled: false,
      factorVerifiedAt: null,
      secondFactor: 'none',
    })
    expect(value!.expiresAt.getTime() - value!.createdAt.getTime()).toBeCloseTo(12 * 3600_000, -2)
  })

  test('a token as stored in the database opens nothing', async () => {
    const { userId, token } = await signUp(harness)
    const { rows } = await harness.owner.query('select token_digest from sessions where user_id = $1', [
      userId,
    ])
    const signature = token.split('.')[1]
    for (const bearer of [rows[0].token_digest, `${rows[0].token_digest}.${signature}`]) {
      const { trips, value } = await harness.trips(() => harness.get('/get-session', { bearer }))
      expect([trips, value.status]).toEqual([0, 401])
    }
  })

  const garbage: [what: string, spoil: (token: string) => string, code?: string][] = [
    ['an unsigned token', (token) => token.split('.')[0]!],
    ['a cut token', (token) => token.slice(0, -1)],
    ['another signature', (token) => `${token.split('.')[0]}.${'A'.repeat(43)}=`],
    ['another token under the signature', (token) => `${'a'.repeat(32)}.${token.split('.')[1]}`],
    ['a percent-encoded token', (token) => encodeURIComponent(token)],
    ['an API key', () => `sk_sbx_a${'0'.repeat(16)}_${'0'.repeat(49)}`, 'credential_not_accepted'],
    ['two words', (token) => `${token} ${token}`, 'credential_malformed'],
    ['a second signature', (token) => `${token}.${token.split('.')[1]}`],
  ]
  test.each(garbage)('refuses %s without a trip', async (_what, spoil, code = 'session_invalid') => {
    const { token } = await signUp(harness)
    const { trips, value } = await harness.trips(() =>
      harness.get('/list-sessions', { bearer: spoil(token) }),
    )
    expect([trips, value.status, value.body.error.code]).toEqual([0, 401, code])
  })

  test('refuses an expired session', async () => {
    const { userId, token } = await signUp(harness)
    await harness.owner.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
      [userId],
    )
    expect(await statusOf(token)).toBe(401)
    expect((await harness.get<ListedSession[]>('/list-sessions', { bearer: token })).status).toBe(401)
  })

  test('use does not extend a session', async () => {
    const { userId, token } = await signUp(harness)
    const ends = `select expires_at from sessions where user_id = $1`
    await harness.owner.query(
      `update sessions set expires_at = now() + interval '1 hour' where user_id = $1`,
      [userId],
    )
    const before = await harness.owner.query(ends, [userId])
    await harness.get<ListedSession[]>('/list-sessions', { bearer: token })
    await harness.post('/update-user', { name: 'Ana María' }, { bearer: token })
    expect((await harness.owner.query(ends, [userId])).rows).toEqual(before.rows)
    expect((await harness.get('/get-session', { bearer: token })).body.user.name).toBe('Ana María')
  })
})

describe('the sessions of an account', () => {
  test("are listed without their tokens; the caller's own is marked", async () => {
    const { email, token } = await signUp(harness)
    await signIn(harness, email)
    const { body } = await harness.get<ListedSession[]>('/list-sessions', {
      bearer: token,
      headers: { 'user-agent': 'curl/8', 'cf-connecting-ip': '203.0.113.7' },
    })
    expect(body).toHaveLength(2)
    expect(body.map((session) => session.current).sort()).toEqual([false, true])
    for (const session of body) {
      expect(Object.keys(session).sort()).toEqual(
        ['created_at', 'current', 'expires_at', 'id', 'ip_address', 'user_agent'].sort(),
      )
    }
  })

  test('remember where they began', async () => {
    const { email } = await signUp(harness)
    const headers = {
      'user-agent': 'Firefox',
      'cf-connecting-ip': '203.0.113.7',
      'x-forwarded-for': '198.51.100.1',
    }
    const { body } = await harness.post('/sign-in/email', { email, password }, { headers })
    const list = await harness.get<ListedSession[]>('/list-sessions', { bearer: body.token })
    expect(list.body.find((session) => session.current)).toMatchObject({
      ip_address: '203.0.113.7',
      user_agent: 'Firefox',
    })
  })

  test('one can be ended by another', async () => {
    const { email, token } = await signUp(harness)
    const other = (await signIn(harness, email)).body.token
    const list = await harness.get<ListedSession[]>('/list-sessions', { bearer: token })
    const { id } = list.body.find((session) => !session.current)!
    expect((await harness.post('/revoke-session', { id }, { bearer: token })).status).toBe(200)
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 401])
    const again = await harness.post('/revoke-session', { id }, { bearer: token })
    expect([again.status, again.body.error.code]).toEqual([404, 'customer_session_not_found'])
  })

  test('one of another account gets the reply for one that does not exist', async () => {
    const [ana, eve] = [await signUp(harness), await signUp(harness)]
    const [own] = (await harness.get<ListedSession[]>('/list-sessions', { bearer: ana.token })).body
    const foreign = await harness.post('/revoke-session', { id: own!.id }, { bearer: eve.token })
    const missing = await harness.post('/revoke-session', { id: 'nothing' }, { bearer: eve.token })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
    expect(await statusOf(ana.token)).toBe(200)
  })

  test("all but the caller's own can be ended", async () => {
    const { email, token } = await signUp(harness)
    const others = [
      (await signIn(harness, email)).body.token,
      (await signIn(harness, email, 'live')).body.token,
    ]
    expect((await harness.post('/revoke-other-sessions', undefined, { bearer: token })).status).toBe(200)
    expect(await Promise.all([token, ...others].map(statusOf))).toEqual([200, 401, 401])
  })

  test('signing out ends this one, on both Workers', async () => {
    const { email, token } = await signUp(harness)
    const other = (await signIn(harness, email)).body.token
    expect((await harness.post('/sign-out', {}, { bearer: token, environment: 'live' })).status).toBe(200)
    expect([await statusOf(token), await statusOf(other)]).toEqual([401, 200])
  })

  test('a new password ends them all and begins one', async () => {
    const { email, token } = await signUp(harness)
    const other = (await signIn(harness, email)).body.token
    const change = { current_password: password, new_password: longestPassword }
    const { status, body } = await harness.post('/change-password', change, { bearer: token })
    expect(status).toBe(200)
    expect(await Promise.all([token, other, body.token].map(statusOf))).toEqual([401, 401, 200])
    expect((await signIn(harness, email)).status).toBe(401)
  })

  const sessionsOf = async (userId: string) =>
    (await harness.owner.query('select id from sessions where user_id = $1', [userId])).rows.length
  const change = { current_password: password, new_password: 'battery horse correct' }

  test('nor does a sign-in survive that was checked against the old password and is stored after it', async () => {
    const { email, userId, token } = await signUp(harness)
    let changed = 0
    harness.before('insert into "sessions"', async () => {
      changed = (await harness.post('/change-password', change, { bearer: token })).status
    })
    const late = await signIn(harness, email)
    expect([changed, late.status, late.body.error?.code]).toEqual([200, 401, 'sign_in_failed'])
    expect(await sessionsOf(userId)).toBe(1)
  })

  test('a sign-in that waits for its second step ends with the password it began with', async () => {
    const { email, userId, token, secret, backupCodes } = await signUpWithTotp(harness)
    const waiting = (await signIn(harness, email)).body.two_factor_token
    const changed = await harness.post('/change-password', change, { bearer: token })
    expect(changed.status).toBe(200)
    for (const [path, code] of [
      ['/two-factor/verify-totp', await totp(secret)],
      ['/two-factor/verify-backup-code', backupCodes[0]],
    ]) {
      const reply = await harness.post(path!, { code, two_factor_token: waiting })
      expect([path, reply.status, reply.body.error?.code]).toEqual([path, 401, 'challenge_invalid'])
    }
    expect(await sessionsOf(userId)).toBe(1)
  })

  const steps: [
    path: string,
    code: (person: Awaited<ReturnType<typeof signUpWithTotp>>) => Promise<string>,
  ][] = [
    ['/two-factor/verify-totp', ({ secret }) => totp(secret)],
    ['/two-factor/verify-backup-code', async ({ backupCodes }) => backupCodes[0]!],
  ]
  test.each(steps)('%s: a change of password while it runs ends it', async (path, codeOf) => {
    const person = await signUpWithTotp(harness)
    const { email, userId, token } = person
    const waiting = (await signIn(harness, email)).body.two_factor_token
    let changed = 0
    harness.before('insert into "sessions"', async () => {
      changed = (await harness.post('/change-password', change, { bearer: token })).status
    })
    const late = await harness.post(path, { code: await codeOf(person), two_factor_token: waiting })
    expect([changed, late.status, late.body.error?.code]).toEqual([200, 401, 'challenge_invalid'])
    expect(await sessionsOf(userId)).toBe(1)
  })

  test('a Worker killed after the new password is stored leaves no session', async () => {
    const { userId, token } = await signUp(harness)
    harness.before('insert into "sessions"', () => Promise.reject(new Error('it died')))
    expect((await harness.post('/change-password', change, { bearer: token })).status).toBe(503)
    expect(await sessionsOf(userId)).toBe(0)
  })

  const mailed = 'mailed horse battery'
  async function setByMail({ email, userId }: { email: string; userId: string }) {
    await harness.post('/request-password-reset', { email })
    const { rows } = await harness.owner.query(
      `select id from mails where user_id = $1 and kind = 'reset_password'`,
      [userId],
    )
    const token = await linkToken(harness.access.secrets, '1', { kind: 'reset_password', id: rows[0].id })
    expect((await harness.post('/reset-password', { token, new_password: mailed })).status).toBe(200)
  }
  const refused = { status: 401, code: 'session_invalid' }
  const toldBy = ({ status, body }: { status: number; body: { error?: { code: string } } }) => ({
    status,
    code: body.error?.code,
  })

  test.each(['update accounts', 'insert into "sessions"'])(
    'a change of password that a reset by mail overtakes at `%s` is refused, and begins no session',
    async (at) => {
      const person = await signUp(harness)
      harness.before(at, () => setByMail(person))
      expect(toldBy(await harness.post('/change-password', change, { bearer: person.token }))).toEqual(
        refused,
      )
      expect(await sessionsOf(person.userId)).toBe(0)
      const { email } = person
      const own = await harness.post('/sign-in/email', { email, password: mailed })
      const attempt = { email, password: change.new_password }
      const attackers = await harness.post('/sign-in/email', attempt)
      expect([own.status, attackers.status]).toEqual([200, 401])
    },
  )

  test('of fifty changes of password at once one counts', async () => {
    const { email, userId, token } = await signUp(harness)
    const chosen = Array.from({ length: 50 }, (_, at) => `battery horse number ${at}`)
    const replies = await Promise.all(
      chosen.map((new_password) =>
        harness.post('/change-password', { current_password: password, new_password }, { bearer: token }),
      ),
    )
    const done = chosen.filter((_, at) => replies[at]!.status === 200)
    expect(done).toHaveLength(1)
    expect(await sessionsOf(userId)).toBe(1)
    const signedIn = await harness.post('/sign-in/email', { email, password: done[0] })
    expect(signedIn.status).toBe(200)
  })

  /** With an authenticator, and a second session from which the owner ends the first. */
  async function withTwo() {
    const person = await signUpWithTotp(harness)
    const { two_factor_token } = (await signIn(harness, person.email)).body
    const code = await totp(person.secret)
    const own = (await harness.post('/two-factor/verify-totp', { code, two_factor_token })).body.token
    const end = async () => {
      const ended = await harness.post('/revoke-other-sessions', undefined, { bearer: own })
      expect(ended.status).toBe(200)
    }
    return { ...person, own, end }
  }

  test('a change of password whose session was ended meanwhile is refused', async () => {
    const { email, userId, token, own, end } = await withTwo()
    harness.before('update accounts', end)
    expect(toldBy(await harness.post('/change-password', change, { bearer: token }))).toEqual(refused)
    expect([await statusOf(own), await sessionsOf(userId)]).toEqual([200, 1])
    expect((await signIn(harness, email)).status).toBe(200)
  })

  const factorIs = async (userId: string) =>
    (
      await harness.owner.query(
        `select u.two_factor_enabled as on from users u join two_factors t on t.user_id = u.id where u.id = $1`,
        [userId],
      )
    ).rows

  test.each(['/two-factor/disable', '/two-factor/generate-backup-codes'])(
    '%s ends with its session: the authenticator stays, and no codes are shown',
    async (path) => {
      const person = await withTwo()
      const { email, userId, token, own, end } = person
      await harness.owner.query('update users set email_verified = true where id = $1', [userId])
      const at = path.endsWith('disable') ? 'delete from two_factors' : 'update "two_factors"'
      harness.before(at, end)
      expect(toldBy(await harness.post(path, { password }, { bearer: token }))).toEqual(refused)
      expect([await statusOf(own), await sessionsOf(userId)]).toEqual([200, 1])

      harness.before(at, () => setByMail(person))
      expect(toldBy(await harness.post(path, { password }, { bearer: own }))).toEqual(refused)
      expect(await sessionsOf(userId)).toBe(0)
      expect(await factorIs(userId)).toEqual([{ on: true }])
      const again = await harness.post('/sign-in/email', { email, password: mailed })
      expect(again.body.two_factor_methods).toEqual(['totp', 'backup_code'])
    },
  )

  test('a wrong current password changes nothing', async () => {
    const { email, token } = await signUp(harness)
    const change = { current_password: 'wrong horse battery', new_password: 'battery horse correct' }
    const reply = await harness.post('/change-password', change, { bearer: token })
    expect([reply.status, reply.body.error.code]).toEqual([403, 'password_wrong'])
    expect([await statusOf(token), (await signIn(harness, email)).status]).toEqual([200, 200])
  })

  test('an old session must sign in again before it changes the password', async () => {
    const { userId, token } = await signUp(harness)
    await letAnHourPass(harness, userId)
    const change = { current_password: password, new_password: 'battery horse correct' }
    const reply = await harness.post('/change-password', change, { bearer: token })
    expect([reply.status, reply.body.error.code]).toEqual([403, 'second_factor_needed'])
  })
})

describe('no cookie carries a session', () => {
  test('none is set, and none is read', async () => {
    const { email, token } = await signUp(harness)
    expect((await signIn(harness, email)).cookies).toEqual([])
    const cookie = `spindle.session_token=${encodeURIComponent(token)}`
    for (const path of ['/get-session', '/list-sessions', '/passkey/list-user-passkeys']) {
      const reply = await harness.get(path, { headers: { cookie } })
      expect([reply.status, reply.body.error.code]).toEqual([401, 'credential_missing'])
    }
  })
})

test('what we do not offer does not exist', async () => {
  const { token } = await signUp(harness)
  for (const path of [
    '/ok',
    '/error',
    '/delete-user',
    '/change-email',
    '/set-password',
    '/sign-in/social',
    '/two-factor/get-totp-uri',
    '/two-factor/send-otp',
    '/two-factor/view-backup-codes',
    '/revoke-sessions',
    '/update-session',
    '/list-accounts',
  ]) {
    expect((await harness.post(path, {}, { bearer: token })).status).toBe(404)
    expect((await harness.get(path, { bearer: token })).status).toBe(404)
  }
  for (const path of ['/verify-email?token=x', '/reset-password/x?callbackURL=/'])
    expect((await harness.get(path, { bearer: token })).status).toBe(404)
})
