import { describe, expect, test } from 'vitest'
import { tokenDigest } from '../../../functions/auth/session.ts'
import { type Harness, startHarness } from './harness.ts'
import { password, signIn, signUp } from './people.ts'

const harness = startHarness()

describe('signing up', () => {
  test('begins a session; the address is kept in lower case', async () => {
    const { status, body, headers } = await harness.post('/sign-up/email', {
      name: '  Ana ',
      email: 'Ana.Up@Example.com',
      password,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{32}\.[A-Za-z0-9+/]{43}=$/),
      expiresAt: expect.any(String),
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        email: 'ana.up@example.com',
        emailVerified: false,
        name: 'Ana',
        twoFactorEnabled: false,
        createdAt: expect.any(String),
      },
    })
    expect(headers.get('set-auth-token')).toBe(body.token)
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
    const life = Date.parse(body.expiresAt) - Date.now()
    expect(life).toBeGreaterThan(12 * 3600_000 - 5000)
    expect(life).toBeLessThanOrEqual(12 * 3600_000)
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
    ['no address', { email: undefined }, 422, 'parameter_missing', 'email'],
    ['a malformed address', { email: 'ana' }, 422, 'parameter_invalid', 'email'],
    ['no name', { name: ' ' }, 422, 'parameter_invalid', 'name'],
    ['a control character', { name: 'a\u0000b' }, 422, 'parameter_invalid', 'name'],
    ['a card number', { name: '4242 4242 4242 4242' }, 422, 'card_number_refused', 'name'],
    [
      'a field that is not offered',
      { callbackURL: 'https://example.com' },
      422,
      'parameter_unknown',
      'callbackURL',
    ],
    ['a field that is not settable', { emailVerified: true }, 422, 'parameter_unknown', 'emailVerified'],
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

  test('refuses an address that is taken, in whatever case', async () => {
    const { email } = await signUp(harness)
    const reply = await harness.post('/sign-up/email', { name: 'Eve', email: email.toUpperCase(), password })
    expect([reply.status, reply.body.error.code]).toEqual([409, 'email_taken'])
  })

  test('twenty at once with one address make one account', async () => {
    const email = 'race@example.com'
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => harness.post('/sign-up/email', { name: 'Ana', email, password })),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200, 409]))
    expect((await signIn(harness, email)).status).toBe(200)
  })

  test('an address whose sign-up was cut off in the middle can be used again', async () => {
    const email = 'half@example.com'
    const abandoned = `insert into users (id, name, email, created_at) values ($1, 'Ana', $2, now() - $3::interval)`
    await harness.owner.query(abandoned, ['half', email, '10 seconds'])
    const early = await harness.post('/sign-up/email', { name: 'Ana', email, password })
    expect(early.body.error.code).toBe('email_taken')
    await harness.owner.query(`update users set created_at = now() - interval '2 minutes' where id = 'half'`)
    const later = await harness.post('/sign-up/email', { name: 'Ana', email, password })
    expect(later.status).toBe(200)
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

  test('a wrong password and an unknown address answer alike', async () => {
    const { email } = await signUp(harness)
    const wrong = await harness.post('/sign-in/email', { email, password: 'wrong horse battery' })
    const unknown = await harness.post('/sign-in/email', { email: `x${email}`, password })
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'sign_in_failed'])
    expect(unknown.body).toEqual(wrong.body)
  })

  test('keeps no secret as it is', async () => {
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
  test('a session is not called invalid, a password is not called wrong', async () => {
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
