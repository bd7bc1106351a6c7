import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tokenDigest } from '../../../functions/account/auth/session.ts'
import { type Harness, startHarness } from './harness.ts'
import { password, signIn, signUp } from './people.ts'

const harness = startHarness()

describe('signing up', () => {
  test('makes an account and no session; the address is stored in lower case', async () => {
    const email = 'Ana.Up@Example.com'
    const { trips, value } = await harness.trips(() =>
      harness.post('/sign-up/email', { name: '  Ana ', email, password }),
    )
    expect([trips, value.status, value.body]).toEqual([1, 200, { status: true }])
    expect([value.headers.get('set-auth-token'), value.cookies]).toEqual([null, []])
    expect(value.headers.get('cache-control')).toBe('no-store')
    const before = Date.now()
    const { body } = await signIn(harness, email)
    expect(body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{32}\.[A-Za-z0-9+/]{43}=$/),
      expires_at: expect.any(String),
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        email: 'ana.up@example.com',
        email_verified: false,
        name: 'Ana',
        two_factor_enabled: false,
        created_at: expect.any(String),
      },
    })
    const beganAt = Date.parse(body.expires_at) - 12 * 3600_000
    expect(beganAt).toBeGreaterThanOrEqual(before)
    expect(beganAt).toBeLessThanOrEqual(Date.now())
  })

  const refused: [
    why: string,
    change: Record<string, unknown>,
    status: number,
    code: string,
    param?: string,
  ][] = [
    ['a short password', { password: 'elevenchars' }, 422, 'parameter_invalid', 'password'],
    ['a long password', { password: 'x'.repeat(129) }, 422, 'parameter_invalid', 'password'],
    ['a NUL in the password', { password: `${password}\u0000` }, 422, 'parameter_invalid', 'password'],
    ['no address', { email: undefined }, 422, 'parameter_missing', 'email'],
    ['a malformed address', { email: 'ana' }, 422, 'parameter_invalid', 'email'],
    ['no name', { name: ' ' }, 422, 'parameter_invalid', 'name'],
    ['a control character', { name: 'a\u0000b' }, 422, 'parameter_invalid', 'name'],
    ['a card number', { name: '4242 4242 4242 4242' }, 422, 'card_number_refused', 'name'],
    ['one in the address', { email: '4242424242424242@example.com' }, 422, 'card_number_refused', 'email'],
    ['one with dashes', { email: 'x4242-4242-4242-4242@example.com' }, 422, 'card_number_refused', 'email'],
    ['one in the domain', { email: 'a@4242424242424242.example' }, 422, 'card_number_refused', 'email'],
    [
      'a field that is not offered',
      { callbackURL: 'https://example.com' },
      422,
      'parameter_unknown',
      'callbackURL',
    ],
    ['a field that is not settable', { email_verified: true }, 422, 'parameter_unknown', 'email_verified'],
  ]
  test.each(refused)('refuses %s', async (_why, change, status, code, param) => {
    const reply = await harness.post('/sign-up/email', {
      name: 'Ana',
      email: 'a@example.com',
      password,
      ...change,
    })
    expect(reply.status).toBe(status)
    expect(reply.body.error).toMatchObject({ code, ...(param ? { param } : {}) })
  })

  test('does not reveal that an address is taken, in upper or lower case, and changes nothing of its account', async () => {
    const email = `ana-${randomBytes(6).toString('hex')}@example.com`
    const asked = (given: string, name: string, chosen: string) =>
      harness.trips(() => harness.post('/sign-up/email', { name, email: given, password: chosen }))
    const unknown = await asked(email, 'Ana', password)
    const known = await asked(email.toUpperCase(), 'Eve', `${password}!`)
    expect(seenBy(known)).toEqual(seenBy(unknown))
    expect((await signIn(harness, email)).body.user.name).toBe('Ana')
    expect((await harness.post('/sign-in/email', { email, password: `${password}!` })).status).toBe(401)
  })

  /** All by which a caller could tell two sign-ups apart, except the time of one statement. */
  const seenBy = ({ trips, value: { status, body, headers } }: Awaited<ReturnType<typeof told>>) => ({
    trips,
    status,
    body,
    headers: [...headers],
  })
  const told = () => harness.trips(() => signIn(harness, ''))

  test('twenty at once with one address make one account, and get the same reply', async () => {
    const email = 'race@example.com'
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        harness.post('/sign-up/email', { name: 'Ana', email, password: `${password}${at}` }),
      ),
    )
    expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(
      new Set(['200 {"status":true}']),
    )
    const stored =
      'select count(a.id)::int as n from users u join accounts a on a.user_id = u.id where email = $1'
    expect((await harness.owner.query(stored, [email])).rows).toEqual([{ n: 1 }])
  })
})

describe('signing in', () => {
  test('with the right password, on either Worker, and the session holds on both', async () => {
    const { email, userId } = await signUp(harness)
    const live = await signIn(harness, email.toUpperCase(), 'live')
    expect(live.status).toBe(200)
    for (const environment of ['sandbox', 'live'] as const) {
      const session = await harness.get('/get-session', { bearer: live.body.token, environment })
      expect(session.body.user.id).toBe(userId)
    }
  })

  test('a wrong password and an unknown address get the same reply', async () => {
    const { email } = await signUp(harness)
    const wrong = await harness.post('/sign-in/email', { email, password: 'wrong horse battery' })
    const unknown = await harness.post('/sign-in/email', { email: `x${email}`, password })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'sign_in_failed'])
    const longer = await harness.post('/sign-in/email', { email, password: `${password}\u0000` })
    expect([longer.status, longer.body.error.code]).toEqual([422, 'parameter_invalid'])
    expect(unknown.body).toEqual(wrong.body)
  })

  test('stores no secret in plain text', async () => {
    const { email, token } = await signUp(harness)
    const plain = token.split('.')[0]!
    const { rows } = await harness.owner.query(
      `select s.token_digest, a.password from sessions s join accounts a using (user_id)
         join users u on u.id = user_id where u.email = $1`,
      [email],
    )
    expect(rows).toEqual([
      {
        token_digest: await tokenDigest(plain),
        password: expect.stringMatching(/^[0-9a-f]{32}:[0-9a-f]{128}$/),
      },
    ])
    const dump = JSON.stringify(await everyRow(harness))
    expect(dump).not.toContain(plain)
    expect(dump).not.toContain(password)
  })
})

describe('when the identity database does not answer', () => {
  test('a session is not called invalid, nor a password wrong', async () => {
    const { email, token } = await signUp(harness)
    for (const nth of [1, 2]) {
      harness.breakTrip(nth)
      const list = await harness.get('/list-sessions', { bearer: token })
      expect([nth, list.status, list.body.error.code]).toEqual([nth, 503, 'identity_unavailable'])
      expect(list.headers.get('retry-after')).toBe('1')
      harness.breakTrip(nth)
      const again = await signIn(harness, email)
      expect([nth, again.status, again.body.error.code]).toEqual([nth, 503, 'identity_unavailable'])
    }
  })
})

test('nothing was logged that names a person or a secret', () => {
  expect(harness.log.join('\n')).not.toMatch(/@|correct horse|params|select/)
})

async function everyRow({ owner }: Harness): Promise<unknown[]> {
  const tables = await owner.query(`select tablename from pg_tables where schemaname = 'public'`)
  const rows = tables.rows.map(({ tablename }) => owner.query(`select * from "${tablename}"`))
  return (await Promise.all(rows)).flatMap((result) => result.rows)
}
