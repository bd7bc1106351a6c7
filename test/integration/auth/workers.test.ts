import { randomBytes, scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { totp } from '../../../local/totp.ts'
import { SoftwareAuthenticator } from '../../support/authenticator.ts'
import { adminSql, stack } from '../../support/stack.ts'
import type { ReplyBody } from './harness.ts'

/** Against the Workers as deployed: what the other files test in this process, once from end to end. */
async function call(
  environment: 'sandbox' | 'live',
  method: 'GET' | 'POST',
  path: string,
  options: { body?: object; bearer?: string } = {},
) {
  const headers = new Headers()
  if (options.bearer) headers.set('authorization', `Bearer ${options.bearer}`)
  if (options.body) headers.set('content-type', 'application/json')
  const init = { method, headers, body: options.body ? JSON.stringify(options.body) : null }
  const response = await fetch(`${stack[environment].directUrl}/v1/auth${path}`, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as ReplyBody }
}

const password = 'correct horse battery'
const newEmail = () => `ana-${randomBytes(6).toString('hex')}@example.com`

async function signUp(email: string) {
  await call('sandbox', 'POST', '/sign-up/email', { body: { name: 'Ana', email, password } })
  return call('sandbox', 'POST', '/sign-in/email', { body: { email, password } })
}

test('a password is kept as scrypt makes it of 32 MiB and 16,384 rounds', async () => {
  const email = newEmail()
  await signUp(email)
  const [kept] = await adminSql('identity')<{ password: string }>(
    'select a.password from accounts a join users u on u.id = a.user_id where u.email = $1',
    [email],
  )
  const [salt, key] = kept!.password.split(':')
  const made = scryptSync(password, salt!, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 })
  expect(made.toString('hex')).toBe(key)
})

test('one login with two factors serves both Workers', async () => {
  const email = newEmail()
  const up = await signUp(email)
  expect(up.status).toBe(200)
  const enabled = await call('live', 'POST', '/two-factor/enable', {
    body: { password },
    bearer: up.body.token,
  })
  const secret = new URL(enabled.body.totp_uri).searchParams.get('secret')!
  const confirmed = await call('sandbox', 'POST', '/two-factor/verify-totp', {
    body: { code: await totp(secret) },
    bearer: up.body.token,
  })
  expect(confirmed.status).toBe(200)

  const first = await call('sandbox', 'POST', '/sign-in/email', { body: { email, password } })
  const { two_factor_token } = first.body
  const second = await call('live', 'POST', '/two-factor/verify-totp', {
    body: { code: await totp(secret, 1), two_factor_token },
  })
  expect(second.status).toBe(200)
  expect(second.headers.get('cache-control')).toBe('no-store')
  for (const environment of ['sandbox', 'live'] as const) {
    const session = await call(environment, 'GET', '/get-session', { bearer: second.body.token })
    expect(session.body.user).toMatchObject({ email, two_factor_enabled: true })
  }
  await call('live', 'POST', '/sign-out', { bearer: second.body.token })
  const after = await call('sandbox', 'GET', '/get-session', { bearer: second.body.token })
  expect([after.status, after.body.error.code]).toEqual([401, 'session_invalid'])
})

test('a passkey is registered with the one Worker and signs in to the other', async () => {
  const up = await signUp(newEmail())
  const { body: begun } = await call('sandbox', 'GET', '/passkey/generate-register-options', {
    bearer: up.body.token,
  })
  const passkey = new SoftwareAuthenticator({ rpId: 'localhost', origin: stack.sandbox.baseUrl })
  const registered = await call('sandbox', 'POST', '/passkey/verify-registration', {
    body: { response: passkey.register(begun.challenge), passkey_token: begun.passkey_token },
    bearer: up.body.token,
  })
  expect(registered.status).toBe(200)
  const { body: ceremony } = await call('live', 'GET', '/passkey/generate-authenticate-options')
  const response = passkey.assert(ceremony.challenge, { origin: stack.live.baseUrl })
  const signedIn = await call('live', 'POST', '/passkey/verify-authentication', {
    body: { response, passkey_token: ceremony.passkey_token },
  })
  expect(signedIn.status).toBe(200)
  expect((await call('sandbox', 'GET', '/get-session', { bearer: signedIn.body.token })).status).toBe(200)
})

test('refusals have the documented form', async () => {
  const wrong = await call('sandbox', 'POST', '/sign-in/email', { body: { email: newEmail(), password } })
  expect(wrong.status).toBe(401)
  expect(wrong.body).toEqual({
    error: {
      type: 'authentication_error',
      code: 'sign_in_failed',
      message: expect.any(String),
      param: null,
      doc_url: `${stack.sandbox.baseUrl}/docs/errors#sign_in_failed`,
      request_id: wrong.headers.get('x-request-id'),
      details: [],
    },
  })
})
