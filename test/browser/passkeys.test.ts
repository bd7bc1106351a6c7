import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccount, openWorkspace } from '../../local/merchant.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import { newEmail, sha256 } from '../support/customer.ts'
import { origin } from './buyer.ts'
import { chromiumPath, launchChromium, openTab } from './support.ts'

let browser: Browser

/** What a dashboard's page would do, with nothing but the platform's own functions. */
const dashboard = `
  const call = async (method, path, { token, body, headers } = {}) => {
    const reply = await fetch(path, {
      method,
      headers: {
        ...(token && { Authorization: 'Bearer ' + token }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: await reply.json() }
  }
  const answer = async (options) =>
    (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON()
  const register = async (token) => {
    const { body } = await call('GET', '/v1/auth/passkey/generate-register-options', { token })
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body)
    const response = (await navigator.credentials.create({ publicKey })).toJSON()
    const sent = { response, name: 'Chromium', passkey_token: body.passkey_token }
    return call('POST', '/v1/auth/passkey/verify-registration', { token, body: sent })
  }
  const signIn = async () => {
    const { body } = await call('GET', '/v1/auth/passkey/generate-authenticate-options')
    const sent = { response: await answer(body), passkey_token: body.passkey_token }
    return call('POST', '/v1/auth/passkey/verify-authentication', { body: sent })
  }
  const createKey = async (token, challenge, order, key) => {
    const begun = await call('POST', '/v1/auth/step-up/challenges', { token, body: challenge })
    const verify = '/v1/auth/step-up/challenges/' + begun.body.id + '/verify'
    const body = { method: 'webauthn', response: await answer(begun.body.webauthn_options) }
    const proven = await call('POST', verify, { token, body })
    const headers = { 'Idempotency-Key': key, 'x-sp-step-up-token': proven.body.step_up_token }
    return { methods: begun.body.methods, created: await call('POST', '/v1/api-keys', { token, body: order, headers }) }
  }
`

type Said<Body = Record<string, unknown>> = { status: number; body: Body }

const inPage = <Result>(page: Page, work: string, ...args: unknown[]): Promise<Result> =>
  page.evaluate<Result>(`(async () => { ${dashboard}; return ${work}(...${JSON.stringify(args)}) })()`)

describe.skipIf(!chromiumPath)('passkeys in Chromium', () => {
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  it('are registered, sign in, and prove the creation of an API key', async () => {
    const account = await openAccount(origin, 'Ana', newEmail())
    const tenantId = await openWorkspace(origin, account, 'Papelería Ñandú')
    const { page, close } = await openTab(browser)
    await page.goto(`${origin}/robots.txt`) // a page of this origin whose policy lets the test fetch
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })

    const registered = await inPage<Said>(page, 'register', account.token)
    expect(registered).toMatchObject({ status: 200, body: { name: 'Chromium' } })

    const signedIn = await inPage<Said<{ token: string; user: { email: string } }>>(page, 'signIn')
    expect(signedIn).toMatchObject({ status: 200, body: { user: { email: account.email } } })
    expect(signedIn.body.token).not.toBe(account.token)

    const scopes = ['payment_links:read', 'payment_links:write']
    const params = { description: 'Storefront', environment: 'sandbox', scopes }
    const key = randomUUID()
    const challenge = {
      action: 'api_key.create',
      scope: 'api_keys:write',
      tenant_id: tenantId,
      tenant_environment: 'sandbox',
      idempotency_key: key,
      params_hash: sha256(canonicalJson(params)),
    }
    const order = { description: 'Storefront', scopes, tenant_id: tenantId, tenant_environment: 'sandbox' }
    const { token } = signedIn.body
    const made = await inPage<{ methods: string[]; created: Said<{ one_time_value: string }> }>(
      page,
      'createKey',
      token,
      challenge,
      order,
      key,
    )
    expect(made.methods[0]).toBe('webauthn')
    expect(made.created.status).toBe(201)
    const list = await fetch(`${origin}/v1/payment-links`, {
      headers: { authorization: `Bearer ${made.created.body.one_time_value}` },
    })
    expect(list.status).toBe(200)
    await close()
  })
})
