import { describe, expect, test } from 'vitest'
import { signUp as newAccount } from '../../../functions/account/auth/identity-guards.ts'
import { linkToken } from '../../../functions/account/mails/api.ts'
import { send } from '../../../local/merchant.ts'
import { totp } from '../../../local/totp.ts'
import { type Customer, newCustomer, newEmail } from '../../support/customer.ts'
import { linkIn, received } from '../../support/mails.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { startHarness } from './harness.ts'
import { longestPassword, password, signUp as signUpHere } from './people.ts'

const sql = adminSql('identity')
const url = stack.sandbox.directUrl

const ask = async (path: string, body: Record<string, string>, headers: Record<string, string> = {}) => {
  const response = await send(url, `/v1/auth${path}`, { body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const signUp = (email: string, language = 'en') =>
  ask('/sign-up/email', { name: 'Ana', email, password }, { 'accept-language': language })
const signIn = (email: string, chosen = password, network = '192.0.2.1') =>
  ask('/sign-in/email', { email, password: chosen }, { 'cf-connecting-ip': network })
const isConfirmed = async (email: string) =>
  (await sql<{ yes: boolean }>('select email_verified yes from users where email = $1', [email]))[0]!.yes
const submit = (path: string, fields: Record<string, string> = {}) =>
  fetch(url + path, { method: 'POST', body: new URLSearchParams({ locale: 'en', ...fields }) })
const tokenOf = (path: string) => path.split('/').at(-1)!

/** Confirms with the account's own session, so that its factors stay. */
async function confirmedBy({ email, token }: Customer) {
  const [mail] = await received(email)
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('/verify-email', { token: tokenOf(linkIn(mail!)) }, headers)).status).toBe(200)
}

async function newConfirmed() {
  const email = newEmail()
  await signUp(email)
  const [mail] = await received(email)
  expect((await submit(linkIn(mail!))).status).toBe(200)
  return email
}

describe('confirming an address', () => {
  test.each([
    ['es', 'Confirma tu dirección de correo', 'Es tuya esta dirección'],
    ['en', 'Confirm your e-mail address', 'Is this e-mail address yours?'],
  ])(
    'signing up mails a link in %s; opening it confirms nothing, its form does',
    async (language, subject, title) => {
      const email = newEmail()
      expect((await signUp(email, language)).body).toEqual({ status: true })
      const [mail] = await received(email)
      expect(mail).toMatchObject({ subject, from: 'Spindle <no-reply@spindle.example>' })
      const path = linkIn(mail!)
      const page = await fetch(url + path, { headers: { 'accept-language': language } })
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(await page.text()).toContain(title)
      expect(await isConfirmed(email)).toBe(false)
      expect((await submit(path)).status).toBe(200)
      expect(await isConfirmed(email)).toBe(true)
      expect((await submit(path)).status).toBe(200)
    },
  )

  test('a name is in no mail before', async () => {
    const email = newEmail()
    await ask('/sign-up/email', { name: 'Free money: https://eve.example', email, password })
    const [first] = await received(email)
    await ask('/request-password-reset', { email })
    await received(email, 2)
    await submit(linkIn(first!))
    await ask('/request-password-reset', { email })
    const holding = (await received(email, 3)).map(({ text, html }) => (text + html).includes('eve.example'))
    expect(holding).toEqual([true, false, false])
  })

  test('over the interface; another form posted from elsewhere is refused', async () => {
    const email = newEmail()
    await signUp(email)
    const [mail] = await received(email)
    const foreign = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await fetch(url + linkIn(mail!), foreign)).status).toBe(403)
    expect(await isConfirmed(email)).toBe(false)
    expect((await ask('/verify-email', { token: tokenOf(linkIn(mail!)) })).body).toEqual({ status: true })
    expect(await isConfirmed(email)).toBe(true)
    // Confirmed: nothing is sent any more.
    await ask('/send-verification-email', { email })
    expect(
      await sql('select from mails m join users u on u.id = m.user_id where u.email = $1', [email]),
    ).toHaveLength(1)
  })

  test('a link that was changed, is for something else or is a day old does not work', async () => {
    const email = newEmail()
    await signUp(email)
    const path = linkIn((await received(email))[0]!)
    const last = path.at(-1) === '0' ? '1' : '0'
    const wrong = [path.slice(0, -1) + last, path.slice(0, -1), path.replace('confirm', 'password')]
    for (const other of wrong) {
      expect((await fetch(url + other)).status).toBe(410)
      expect((await submit(other, { 'new-password': password })).status).toBe(410)
    }
    await sql(`update mails set expires_at = now() where user_id = (select id from users where email = $1)`, [
      email,
    ])
    expect([(await submit(path)).status, (await fetch(url + path)).status]).toEqual([410, 410])
    expect((await ask('/verify-email', { token: tokenOf(path) })).body.error).toMatchObject({
      code: 'mail_link_invalid',
    })
    expect(await isConfirmed(email)).toBe(false)
  })
})

describe('signing up with made-up addresses', () => {
  const passwordHash = `${'a'.repeat(32)}:${'b'.repeat(128)}`
  const mailed = async (emails: readonly string[]) =>
    (
      await sql<{ users: number; mails: number }>(
        `select count(*)::int users, count(m.id)::int mails from users u left join mails m on m.user_id = u.id
         where u.email = any ($1)`,
        [emails],
      )
    )[0]
  const signUpAll = (emails: readonly string[], networkAt: (at: number) => string | null) => {
    const { access } = startHarness()
    return Promise.all(
      emails.map((email, at) =>
        newAccount(access, { name: 'Ana', email, locale: 'en', passwordHash, network: networkAt(at) }),
      ),
    )
  }

  test.each([
    ['what follows a plus', (name: string, at: number) => `${name}+${at}@example.org`],
    [
      'dots at Gmail',
      (name: string, at: number) => `${name.slice(0, at + 1)}.${name.slice(at + 1)}@gmail.com`,
    ],
  ])('%s makes no other mailbox: five mails of twenty at once', async (_, address) => {
    const name = newEmail().split('@')[0]!.replaceAll('-', '')
    const emails = Array.from({ length: 20 }, (_, at) => address(name, at))
    await signUpAll(emails, () => null)
    expect(await mailed(emails)).toEqual({ users: 20, mails: 5 })
  })

  test('one network causes fifty mails in a day', async () => {
    const network = newEmail().slice(0, 40)
    const emails = Array.from({ length: 60 }, newEmail)
    await signUpAll(emails, () => network)
    expect(await mailed(emails)).toEqual({ users: 60, mails: 50 })
  })
})

describe('a forgotten password', () => {
  test('the link sets one once, and ends the sessions', async () => {
    const email = newEmail()
    await signUp(email)
    const { token } = (await signIn(email)).body as { token: string }
    await received(email)
    expect((await ask('/request-password-reset', { email: email.toUpperCase() })).body).toEqual({
      status: true,
    })
    const path = linkIn((await received(email, 2))[0]!)
    expect(await (await fetch(url + path)).text()).toContain('name="new-password"')
    const short = await submit(path, { 'new-password': 'elevenchars' })
    expect([short.status, (await short.text()).includes('aria-invalid')]).toEqual([422, true])
    const chosen = longestPassword
    expect((await submit(path, { 'new-password': chosen })).status).toBe(200)
    expect((await submit(path, { 'new-password': password })).status).toBe(410)
    const opened = await fetch(url + path)
    expect([opened.status, (await opened.text()).includes('<form')]).toEqual([410, false])
    const session = await send(url, '/v1/auth/get-session', { method: 'GET', bearer: token })
    expect(session.status).toBe(401)
    expect([(await signIn(email)).status, (await signIn(email, chosen)).status]).toEqual([401, 200])
  })

  test('a second factor is still needed, and other links end with the first', async () => {
    const person = await newCustomer()
    await confirmedBy(person)
    await ask('/request-password-reset', { email: person.email })
    await ask('/request-password-reset', { email: person.email })
    const [one, other] = (await received(person.email, 3)).map(linkIn)
    const new_password = 'another horse battery'
    expect((await ask('/reset-password', { token: tokenOf(one!), new_password })).status).toBe(200)
    const second = await ask('/reset-password', { token: tokenOf(other!), new_password: password })
    expect([second.status, second.body.error]).toMatchObject([410, { code: 'mail_link_invalid' }])
    const { body } = await signIn(person.email, new_password)
    expect(body).toMatchObject({ two_factor_redirect: true, two_factor_methods: ['totp', 'backup_code'] })
    const code = await totp(person.totpSecret)
    const stepped = await ask('/two-factor/verify-totp', {
      code,
      two_factor_token: body.two_factor_token as string,
    })
    expect(stepped.status).toBe(200)
  })

  test('of two links used at once one sets a password', async () => {
    const harness = startHarness()
    const { email, userId } = await signUpHere(harness)
    for (const _ of [1, 2]) await harness.post('/request-password-reset', { email })
    const mails = await sql<{ id: string }>(
      `select id from mails where user_id = $1 and kind = 'reset_password'`,
      [userId],
    )
    const [one, other] = await Promise.all(
      mails.map(({ id }) => linkToken(harness.access.secrets, '1', { kind: 'reset_password', id })),
    )
    const set = (token: string | undefined) =>
      harness.post('/reset-password', { token, new_password: 'the other battery' })
    const statuses = (await Promise.all([set(one), set(other)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 410])
  })

  test.each(['/request-password-reset', '/send-verification-email'])(
    '%s answers the same, in one trip, whether the address has an account',
    async (path) => {
      const harness = startHarness()
      const { email } = await signUpHere(harness)
      const asked = async (address: string) => {
        const { trips, value } = await harness.trips(() => harness.post(path, { email: address }))
        return [trips, value.status, value.body, [...value.headers]]
      }
      expect(await asked(email)).toEqual(await asked(newEmail()))
      expect((await asked(email))[0]).toBe(1)
    },
  )

  test('twenty requests at once make five mails', async () => {
    const harness = startHarness()
    const { email, userId } = await signUpHere(harness)
    await Promise.all(Array.from({ length: 20 }, () => harness.post('/request-password-reset', { email })))
    const mails = `select from mails where user_id = $1 and kind = 'reset_password'`
    expect(await sql(mails, [userId])).toHaveLength(5)
  })

  test('nor do twenty aliases of a mailbox; they take none from its own confirmed account', async () => {
    const harness = startHarness()
    const name = newEmail().split('@')[0]!
    const emails = Array.from({ length: 20 }, (_, at) => `${name}+${at}@example.org`)
    const own = `${name}@example.org`
    for (const email of [own, ...emails])
      await harness.post('/sign-up/email', { name: 'Ana', email, password })
    await sql('update users set email_verified = true where email = $1', [own])
    const resetsOf = (addresses: readonly string[]) =>
      sql(
        `select from mails m join users u on u.id = m.user_id join verifications v on v.id = m.id
         where m.kind = 'reset_password' and u.email = any ($1)`,
        [addresses],
      )
    await Promise.all(emails.map((email) => harness.post('/request-password-reset', { email })))
    expect(await resetsOf(emails)).toHaveLength(5)
    await harness.post('/request-password-reset', { email: own })
    expect(await resetsOf([own])).toHaveLength(1)
    const links = 'select from verifications v join users u on u.id = v.value where u.email = any ($1)'
    expect(await sql(links, [emails])).toHaveLength(5)
  })
})

describe('a new sign-in', () => {
  const newsOf = (email: string) =>
    sql(
      `select from mails m join users u on u.id = m.user_id where u.email = $1 and m.kind = 'new_sign_in'`,
      [email],
    )

  test('from another network is mailed to a confirmed address, once', async () => {
    const email = await newConfirmed()
    await signIn(email, password, '192.0.2.1')
    expect(await newsOf(email)).toHaveLength(0)
    await Promise.all([0, 1, 2].map(() => signIn(email, password, '2001:db8:0:1::5')))
    await signIn(email, password, '2001:db8:0:1::6')
    await signIn(email, password, '192.0.2.1')
    expect(await newsOf(email)).toHaveLength(1)
    const [mail] = await received(email, 2)
    expect(mail!.subject).toBe('New sign-in to your account')
    expect(mail!.text).toContain('IP address: 2001:0db8:0000:0001:')
  })

  test('is mailed at most five times in an hour', async () => {
    const email = await newConfirmed()
    await signIn(email)
    await Promise.all([2, 3, 4, 5, 6, 7, 8].map((last) => signIn(email, password, `192.0.2.${last}`)))
    expect(await newsOf(email)).toHaveLength(5)
  })

  test('is not mailed to an address that is not confirmed', async () => {
    const email = newEmail()
    await signUp(email)
    await signIn(email, password, '192.0.2.1')
    await signIn(email, password, '192.0.2.2')
    expect(await newsOf(email)).toHaveLength(0)
  })

  test('with a second factor is news once that was shown', async () => {
    const person = await newCustomer()
    await confirmedBy(person)
    const { body } = await signIn(person.email, person.password, '192.0.2.9')
    expect(body.two_factor_redirect).toBe(true)
    expect(await newsOf(person.email)).toHaveLength(0)
    const step = { code: await totp(person.totpSecret), two_factor_token: body.two_factor_token as string }
    const headers = { 'cf-connecting-ip': '192.0.2.9' }
    expect((await ask('/two-factor/verify-totp', step, headers)).status).toBe(200)
    expect(await newsOf(person.email)).toHaveLength(1)
  })
})

test('what is over keeps nothing of its data, and no row holds an address or a token', async () => {
  const email = newEmail()
  await signUp(email)
  const [mail] = await received(email)
  const row = () =>
    sql('select m.* from mails m join users u on u.id = m.user_id where u.email = $1', [email])
  await expect.poll(async () => (await row())[0]!.status).toBe('sent')
  const [kept] = await row()
  expect(kept).toMatchObject({ kind: 'confirm_address', data: {}, attempts: 1 })
  expect(JSON.stringify(kept)).not.toContain(email)
  expect(JSON.stringify(kept)).not.toContain(tokenOf(linkIn(mail!)).slice(37))
  expect(mail!.key).toBe(`mail/${kept!.id}`)
})
