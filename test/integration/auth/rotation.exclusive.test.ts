import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { decryptText, encryptText } from '../../../functions/account/auth/encryption.ts'
import { type Account, openAccount, openWorkspace, stepUp } from '../../../local/merchant.ts'
import { type Query, reencryptAll } from '../../../local/reencrypt.ts'
import { totp } from '../../../local/totp.ts'
import type { VersionedKeys } from '../../../src/env/settings.ts'
import { SoftwareAuthenticator } from '../../support/authenticator.ts'
import { newEmail, whoIs } from '../../support/customer.ts'
import { call as ask } from '../../support/merchant.ts'
import { share } from '../../support/share.ts'
import { adminSql, control, ownerSql, stack, withWorkerHere } from '../../support/stack.ts'
import type { ReplyBody } from './harness.ts'

/* AUTH_SECRETS is changed step by step, one Worker after the other, as the README instructs operators. */

type Environment = 'sandbox' | 'live'
const sql = adminSql('identity')
const [one, two] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]

const given: Partial<Record<Environment, string | null>> = {}
/** A Worker starts anew with other secrets; one that has them already goes on. */
async function give(environment: Environment, secrets: string | null): Promise<void> {
  if (given[environment] === secrets) return
  await control.reconfigure(environment, { vars: { AUTH_SECRETS: secrets } })
  given[environment] = secrets
}
const giveVersions = (environment: Environment, versions: Record<string, string>) =>
  give(environment, JSON.stringify(versions))

const emptied = () =>
  sql(`delete from sessions; delete from two_factors;
    update users set two_factor_enabled = false where two_factor_enabled`)

/** What other files left under the stack's own secrets: no version here opens it. The files to come find it again. */
beforeAll(() =>
  sql(`create table others_sessions as table sessions; create table others_factors as table two_factors;
    create table others_enabled as select id from users where two_factor_enabled`),
)
beforeEach(emptied)
afterAll(async () => {
  await emptied()
  await sql(`set local session_replication_role = replica;
    insert into sessions table others_sessions; insert into two_factors table others_factors;
    update users set two_factor_enabled = true where id in (table others_enabled);
    drop table others_sessions, others_factors, others_enabled`)
  await control.reconfigure('sandbox')
  await control.reconfigure('live')
})

const call = (
  environment: Environment,
  method: 'GET' | 'POST',
  path: string,
  options: { body?: unknown; bearer?: string } = {},
) => ask<ReplyBody>(method, `/v1/auth${path}`, { environment, ...options })

type Person = Account & { userId: string; passkey: SoftwareAuthenticator; tenantId: string }

async function newPerson(): Promise<Person> {
  const baseUrl = stack.sandbox.directUrl
  const account = await openAccount(baseUrl, 'Ana', newEmail())
  const tenantId = await openWorkspace(baseUrl, account, 'Café Azul')
  const bearer = account.token
  const { body: begun } = await call('sandbox', 'GET', '/passkey/generate-register-options', { bearer })
  const passkey = new SoftwareAuthenticator({ rpId: 'localhost', origin: stack.sandbox.baseUrl })
  const response = passkey.register(begun.challenge)
  const body = { response, passkey_token: begun.passkey_token }
  const registered = await call('sandbox', 'POST', '/passkey/verify-registration', { body, bearer })
  if (registered.status !== 200) throw new Error(registered.text)
  const { userId } = await whoIs(bearer)
  return { ...account, userId, passkey, tenantId }
}

const signIn = async (environment: Environment, { email, password }: Person) => {
  const { status, text, body } = await call(environment, 'POST', '/sign-in/email', {
    body: { email, password },
  })
  if (status !== 200) throw new Error(text)
  return body.two_factor_token
}

/** The second step of a sign-in with the authenticator; each half minute may be used again. */
async function secondStep(environment: Environment, person: Person, two_factor_token: string) {
  await sql('delete from totp_uses where user_id = $1', [person.userId])
  const body = { code: await totp(person.totpSecret), two_factor_token }
  return call(environment, 'POST', '/two-factor/verify-totp', { body })
}

async function keepCodes(person: Person, bearer: string): Promise<void> {
  if (person.backupCodes.length >= 3) return
  const body = { password: person.password }
  const fresh = await call('sandbox', 'POST', '/two-factor/generate-backup-codes', { body, bearer })
  person.backupCodes = fresh.body.backup_codes
}

async function spendCode(environment: Environment, person: Person, code: string) {
  const body = { code, two_factor_token: await signIn(environment, person) }
  return call(environment, 'POST', '/two-factor/verify-backup-code', { body })
}

/** Each signs a person in; answers the status. */
const secondFactors = {
  authenticator: async (environment: Environment, person: Person) =>
    (await secondStep(environment, person, await signIn(environment, person))).status,
  'backup code': async (environment: Environment, person: Person) => {
    const code = person.backupCodes.shift()!
    const { status } = await spendCode(environment, person, code)
    // What was spent there is spent here too.
    if (environment === 'live') expect((await spendCode('sandbox', person, code)).status).toBe(401)
    return status
  },
  passkey: async (environment: Environment, person: Person) => {
    const { body: ceremony } = await call(environment, 'GET', '/passkey/generate-authenticate-options')
    const response = person.passkey.assert(ceremony.challenge, { origin: stack[environment].baseUrl })
    const body = { response, passkey_token: ceremony.passkey_token }
    return (await call(environment, 'POST', '/passkey/verify-authentication', { body })).status
  },
}

let looks = 0
/**
 * Signs in here with one second factor and there with the next, the following ones at the next look, and with each
 * where TESTS=all; the session is taken in both, and proves a mutation.
 */
async function canDoEverything(person: Person, bearer: string): Promise<void> {
  await keepCodes(person, bearer)
  for (const [at, environment] of (['sandbox', 'live'] as const).entries())
    for (const [name, signsIn] of share(Object.entries(secondFactors), 3, looks + at))
      expect(await signsIn(environment, person), `${name} in ${environment}`).toBe(200)
  looks += 1
  await holds(person, bearer)
}

/** A session is taken in both environments, and proves a mutation. */
async function holds(person: Person, bearer: string): Promise<void> {
  await keepCodes(person, bearer)
  for (const environment of ['sandbox', 'live'] as const) {
    expect((await call(environment, 'GET', '/get-session', { bearer })).status).toBe(200)
    expect((await call(environment, 'GET', '/list-sessions', { bearer })).status).toBe(200)
  }
  const mutation = {
    action: 'api_key.create',
    tenantId: person.tenantId,
    environment: 'sandbox' as const,
    key: randomUUID(),
    params: {},
  }
  const account = { ...person, token: bearer }
  expect(await stepUp(stack.sandbox.directUrl, account, mutation)).toMatch(/^\S{20,}$/)
}

/** What `npm run reencrypt` prints. */
async function runCommand(versions: Record<string, string>): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['local/reencrypt.ts'], {
    env: {
      IDENTITY_MIGRATION_DATABASE_URL: stack.databases.identity.ownerUrl,
      AUTH_SECRETS: JSON.stringify(versions),
    },
  })
  return stdout.trim().split('\n')
}

const versionsOf = async (userId: string) => {
  const rows = await sql<{ secret: string; codes: string }>(
    `select substring(secret from '^[$]ba[$]([0-9]+)') as secret, substring(backup_codes from '^[$]ba[$]([0-9]+)') as codes
       from two_factors where user_id = $1`,
    [userId],
  )
  return rows.map(({ secret, codes }) => [secret, codes])[0]
}

test('rotating one Worker after the other interrupts no user', async () => {
  for (const each of ['sandbox', 'live'] as const) await giveVersions(each, { 1: one })
  const person = await newPerson()
  const old = person.token
  const secrets = [one, two, person.totpSecret, person.password, ...person.backupCodes, old]
  expect(await versionsOf(person.userId)).toEqual(['1', '1'])

  // Add the new version.
  await giveVersions('sandbox', { current: '1', 1: one, 2: two })
  await canDoEverything(person, old)
  await giveVersions('live', { current: '1', 1: one, 2: two })
  await canDoEverything(person, old)
  expect(await versionsOf(person.userId)).toEqual(['1', '1'])

  // Encrypt and sign with it: here first, while there the old one still does.
  const begunBefore = await signIn('sandbox', person)
  await giveVersions('sandbox', { 1: one, 2: two })
  expect((await secondStep('sandbox', person, begunBefore)).status).toBe(200)
  const { body: begunAnew } = await secondStep('live', person, await signIn('sandbox', person))
  const { body: finishedHere } = await secondStep('sandbox', person, await signIn('live', person))
  await canDoEverything(person, old)
  for (const bearer of [begunAnew.token, finishedHere.token]) await holds(person, bearer)
  await giveVersions('live', { 1: one, 2: two })
  await canDoEverything(person, old)

  // Re-encrypt.
  expect(await runCommand({ 1: one, 2: two })).toEqual([
    'two_factors: 1 rows re-encrypted under version 2 of AUTH_SECRETS',
    expect.stringMatching(/^sessions: \d+ signed with version 1, the last until 20\S+Z$/),
    expect.stringMatching(/^version 1 of AUTH_SECRETS: [1-9]\d* left$/),
  ])
  expect(await versionsOf(person.userId)).toEqual(['2', '2'])
  await canDoEverything(person, old)

  // Sessions that the old one signed end by themselves.
  const { body: lasting } = await secondStep('live', person, await signIn('sandbox', person))
  await sql('update sessions set expires_at = now() where secret_version = 1')
  expect(await runCommand({ 1: one, 2: two })).toEqual([
    'two_factors: 0 rows re-encrypted under version 2 of AUTH_SECRETS',
    'version 1 of AUTH_SECRETS: 0 left',
  ])

  // Remove the old one.
  await giveVersions('sandbox', { 2: two })
  await canDoEverything(person, lasting.token)
  await giveVersions('live', { 2: two })
  await canDoEverything(person, lasting.token)
  const gone = await call('sandbox', 'GET', '/get-session', { bearer: old })
  expect([gone.status, gone.body.error.code]).toEqual([401, 'session_invalid'])

  for (const each of ['sandbox', 'live'] as const) {
    const lines = JSON.stringify(await control.workerLines(each))
    for (const secret of [...secrets, ...person.backupCodes, lasting.token])
      expect(lines.includes(secret)).toBe(false)
  }
}, 300_000)

test('a version removed too early is logged as missing; once it is back, everything continues', async () => {
  for (const each of ['sandbox', 'live'] as const) await giveVersions(each, { 1: one })
  const person = await newPerson()
  for (const each of ['sandbox', 'live'] as const) await giveVersions(each, { 2: two })
  const refused = await call('sandbox', 'GET', '/get-session', { bearer: person.token })
  expect([refused.status, refused.body.error.code]).toEqual([401, 'session_invalid'])
  const step = await secondStep('sandbox', person, await signIn('sandbox', person))
  expect([step.status, step.body.error.code]).toEqual([500, 'internal'])
  const lines = (await control.workerLines('sandbox')).map(({ message }) => message)
  expect(
    lines.filter((line) => line.includes('encrypted under version 1, which AUTH_SECRETS does not have')),
  ).not.toEqual([])
  expect(await runCommand({ 2: two })).toEqual([
    'two_factors: 0 rows re-encrypted under version 2 of AUTH_SECRETS',
    expect.stringMatching(/^two_factors: these rows do not decrypt: [0-9a-f-]{36}$/),
    expect.stringMatching(/^sessions: \d+ signed with version 1, the last until 20\S+Z$/),
    expect.stringMatching(/^version 1 of AUTH_SECRETS: [1-9]\d* left$/),
  ])

  for (const each of ['sandbox', 'live'] as const) await giveVersions(each, { 1: one, 2: two })
  await canDoEverything(person, person.token)
  await runCommand({ 1: one, 2: two })
  expect(await versionsOf(person.userId)).toEqual(['2', '2'])
})

const wrong: [what: string, secrets: string | null, told: string][] = [
  ['none', null, 'AUTH_SECRETS is not set'],
  ['a secret without a version', one, 'AUTH_SECRETS is not JSON'],
  ['no version', JSON.stringify({ new: one }), 'AUTH_SECRETS is not keys by version'],
  [
    'a current version that is not there',
    JSON.stringify({ current: '3', 1: one }),
    'AUTH_SECRETS has no key of its current version',
  ],
  [
    'one that is too short',
    JSON.stringify({ 1: one, 2: one.slice(0, 31) }),
    'version 2 of AUTH_SECRETS is shorter than 32 bytes',
  ],
]
test.each(wrong)('a Worker that is given %s logs it, without any of the secret', (_what, secrets, said) =>
  withWorkerHere(async () => {
    await control.reconfigure('sandbox', { vars: { AUTH_SECRETS: secrets } })
    const reply = await call('sandbox', 'GET', '/get-session', { bearer: 'x' })
    expect(reply.status).toBe(500)
    expect(reply.text).not.toContain('AUTH_SECRETS')
    const lines = JSON.stringify(await control.workerLines('sandbox'))
    expect(lines).toContain(said)
    expect(lines.includes(one) || lines.includes(one.slice(0, 31))).toBe(false)
  }),
)

const both: VersionedKeys = { current: '2', byVersion: { 1: one, 2: two } }
const first: VersionedKeys = { current: '1', byVersion: { 1: one } }

/** Accounts with nothing but an authenticator. */
async function newAuthenticators(count: number): Promise<void> {
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, at) => [
      await encryptText(first, `secret ${at}`.padEnd(32)),
      await encryptText(first, `["code ${at}"]`),
    ]),
  )
  await sql(
    `with n as (select gen_random_uuid()::text as id, r->>0 as secret, r->>1 as codes from jsonb_array_elements($1) r),
          u as (insert into users (id, name, email, two_factor_enabled)
                select id, 'Ana', id || '@example.com', true from n)
     insert into two_factors (id, user_id, secret, backup_codes, verified) select id, id, secret, codes, true from n`,
    [JSON.stringify(rows)],
  )
}

test.each(['before', 'after'] as const)(
  'stopped %s a batch is stored, the command resumes there',
  async (when) => {
    for (const each of ['sandbox', 'live'] as const) await giveVersions(each, { 1: one, 2: two })
    const person = await newPerson()
    await newAuthenticators(250)
    let batches = 0
    const stopped: Query = async (text, values) => {
      const stops = text.includes('update two_factors') && ++batches === 2
      if (stops && when === 'before') throw new Error('stopped')
      const rows = await ownerSql('identity')(text, values)
      if (stops) throw new Error('stopped')
      return rows
    }
    await expect(reencryptAll(stopped, 'AUTH_SECRETS', both)).rejects.toThrow('stopped')
    const count = async () =>
      (await sql<{ n: number }>(`select count(*)::int as n from two_factors where secret like '$ba$2$%'`))[0]!
        .n
    // The person's own was encrypted under version 2 from the beginning.
    expect(await count()).toBe(when === 'before' ? 101 : 201)
    const rows = await sql<{ secret: string; backup_codes: string }>(
      'select secret, backup_codes from two_factors',
    )
    expect(rows).toHaveLength(251)
    for (const { secret, backup_codes } of rows) {
      expect((await decryptText(both, secret)).length).toBeGreaterThan(20)
      expect(JSON.parse(await decryptText(both, backup_codes))).not.toEqual([])
      expect(secret.slice(0, 6)).toBe(backup_codes.slice(0, 6))
    }
    await canDoEverything(person, person.token)
    await runCommand({ 1: one, 2: two })
    expect(await count()).toBe(251)
    await canDoEverything(person, person.token)
  },
  120_000,
)
