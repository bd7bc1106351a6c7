import * as z from 'zod'
import type { Contract } from '../../../src/http/contract.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { cardNumberMessage, freeText, passwordText } from '../../../src/http/schemas.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'

/*
 * The routes of /v1/auth, as data. Nothing else of the identity library is reachable: it is called by name
 * (identity-calls.ts), never by path. Fields have our names; only what a browser's WebAuthn
 * takes and answers has those of its standard.
 */

/** What must hold before the library is called. */
export type AuthGuard =
  /** No session needed. */
  | 'anyone'
  /** No session needed; one that is sent counts, and must be live. */
  | 'optional'
  /** A live session. */
  | 'session'
  /** A live session that has shown a second factor, or whose account has none. */
  | 'shown'
  /** A live session that has just shown a second factor; of an account that has none, one that has just signed in. */
  | 'recent'
  /** Either the second step of a sign-in, or a session; the code is checked against the account's attempts. */
  | 'second_step'

export type AuthRoute = Pick<
  Contract,
  'id' | 'method' | 'path' | 'tag' | 'summary' | 'rate' | 'reply' | 'errors'
> & {
  readonly guard: AuthGuard
  readonly body?: z.ZodType
}

const email = z.email().max(254).describe('The address that signs in.')
const newEmail = email.refine((text) => !containsCardNumber(text), cardNumberMessage)
const name = freeText(120).trim().min(1).describe('What it, or the person, is called.')
const password = passwordText.describe('The account’s password.')
const newPassword = passwordText.min(12).describe('At least 12 characters.')
const rowId = z.string().regex(/^[\x21-\x7e]{1,64}$/, 'must be an id')
const linkToken = z.string().min(1).max(200).describe('The last part of the link in the mail.')
/** The challenge of a ceremony under way: a random token and its signature. */
const ceremonyToken = z.string().min(46).max(200).describe('The token of the sign-in or ceremony under way.')

const encoded = z.string().min(1).max(16384).describe('As the browser answered it, in base64url.')
const credentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}={0,2}$/, 'must be base64url')
const credential = {
  id: credentialId.describe('The credential’s own id.'),
  rawId: credentialId.describe('The same as `id`.'),
  type: z.literal('public-key').describe('The kind of credential.'),
  authenticatorAttachment: z
    .enum(['platform', 'cross-platform'])
    .optional()
    .describe('Whether the authenticator is part of the device.'),
  clientExtensionResults: z.looseObject({}).default({}).describe('What the browser’s extensions answered.'),
}
/** `PublicKeyCredential.toJSON()` of a registration. */
const attestation = z.looseObject({
  ...credential,
  response: z
    .looseObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z
        .array(z.string().max(32))
        .max(8)
        .optional()
        .describe('How the authenticator can be reached.'),
    })
    .describe('What the authenticator made.'),
})
/** `PublicKeyCredential.toJSON()` of a sign-in. */
export const assertion = z.looseObject({
  ...credential,
  response: z
    .looseObject({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded })
    .describe('What the authenticator signed.'),
})

const instant = z.iso.datetime()
const user = z.object({
  id: z.uuid(),
  email: z.string().describe('The address that signs in.'),
  email_verified: z.boolean().describe('Whether the address was confirmed.'),
  name: z.string().describe('What the person is called.'),
  two_factor_enabled: z.boolean().describe('Whether an authenticator is enrolled.'),
  created_at: instant.describe('When it was created.'),
})
const newSession = {
  token: z.string().describe('The bearer token'),
  expires_at: instant.describe('When it ends.'),
}
const signedIn = z.object({ ...newSession, user: user.describe('The account.') })
const secondStepNeeded = z.object({
  two_factor_redirect: z.literal(true).describe('Says that a second step is needed.'),
  two_factor_methods: z
    .array(z.enum(['webauthn', 'totp', 'backup_code']))
    .describe('Second factors that this account can answer with, the best first'),
  two_factor_token: z
    .string()
    .optional()
    .describe('Send it with the code. Absent where there are passkeys only: sign in with one'),
})
/** A second step answers with a new session, or with the token of the session that took it. */
const stepped = z.union([
  signedIn,
  z.object(newSession),
  z.object({ token: z.string().describe('The bearer token, which stays the same.') }),
])
const backupCodes = z.array(z.string()).describe('Each stands in for the authenticator once.')
const done = z.object({ status: z.literal(true).describe('It is done.') })
const listedSession = z.object({
  id: z.uuid(),
  created_at: instant.describe('When it was created.'),
  expires_at: instant.describe('When it ends.'),
  ip_address: z.string().nullable().describe('The address that signed in.'),
  user_agent: z.string().nullable().describe('The browser or program that signed in.'),
  current: z.boolean().describe('True for the session that asks'),
})
const passkey = z.object({
  id: z.uuid(),
  name: z.string().nullable().describe('Your own name for it.'),
  device_type: z.string().describe('Whether it can be on several devices.'),
  backed_up: z.boolean().describe('Whether a copy of it is kept.'),
  aaguid: z.string().nullable().describe('The model of the authenticator.'),
  created_at: instant.describe('When it was created.'),
})
export const ceremony = z.looseObject({
  challenge: z.string().describe('What the authenticator signs.'),
  passkey_token: z.string().describe('Send it with the answer'),
})

const signedInErrors = ['credential_missing', 'credential_not_accepted', 'session_invalid'] as const
const shownErrors = [...signedInErrors, 'second_factor_required'] as const
const recentErrors = [...signedInErrors, 'second_factor_needed'] as const
const factorErrors = [
  ...signedInErrors,
  'challenge_invalid',
  'second_factor_wrong',
  'second_factor_locked',
  'second_factor_not_enrolled',
] as const

type Declared<Body extends z.ZodType | undefined> = {
  summary: string
  guard: AuthGuard
  body?: Body
  reply: z.ZodType
  errors: readonly ProblemCode[]
}

const declare =
  (method: 'GET' | 'POST') =>
  <const Id extends string, Body extends z.ZodType | undefined = undefined>(
    id: Id,
    path: string,
    { reply, errors, ...rest }: Declared<Body>,
  ) => ({
    id: `auth.${id}` as const,
    method,
    path: `/v1/auth${path}`,
    tag: 'Accounts',
    idempotency: 'none' as const,
    // Guesses and password hashes are limited strictly; the rest like any other read or write.
    rate:
      rest.guard === 'session' || rest.guard === 'shown'
        ? method === 'GET'
          ? ('read' as const)
          : ('write' as const)
        : ('auth' as const),
    reply: { status: 200 as const, schema: reply },
    errors: [...errors, 'identity_unavailable' as const],
    ...rest,
  })
const get = declare('GET')
const post = declare('POST')

export const authRoutes = [
  post('sign_up', '/sign-up/email', {
    summary: 'Create an account; the reply does not show whether the address already has one',
    guard: 'anyone',
    body: z.strictObject({ name, email: newEmail, password: newPassword }),
    reply: done,
    errors: [],
  }),
  post('sign_in', '/sign-in/email', {
    summary: 'Sign in with e-mail and password: a first step where the account has a second factor',
    guard: 'anyone',
    body: z.strictObject({ email, password }),
    reply: z.union([signedIn, secondStepNeeded]),
    errors: ['sign_in_failed'],
  }),
  post('send_verification_email', '/send-verification-email', {
    summary: 'Mail a link that confirms the address; the reply is the same for every address',
    guard: 'anyone',
    body: z.strictObject({ email }),
    reply: done,
    errors: [],
  }),
  post('verify_email', '/verify-email', {
    summary:
      'Confirm an address with the link that was mailed to it; without a session of the account, its second factors and sessions end',
    guard: 'optional',
    body: z.strictObject({ token: linkToken }),
    reply: done,
    errors: ['mail_link_invalid', 'credential_not_accepted', 'session_invalid'],
  }),
  post('request_password_reset', '/request-password-reset', {
    summary: 'Mail a link that sets a new password; the reply is the same for every address',
    guard: 'anyone',
    body: z.strictObject({ email }),
    reply: done,
    errors: [],
  }),
  post('reset_password', '/reset-password', {
    summary:
      'Set a new password with a mailed link; ends every session and begins none. Of an address that was not confirmed it removes second factors too, and confirms it',
    guard: 'anyone',
    body: z.strictObject({ new_password: newPassword, token: linkToken }),
    reply: done,
    errors: ['mail_link_invalid'],
  }),
  post('sign_out', '/sign-out', {
    summary: 'End this session',
    guard: 'session',
    reply: done,
    errors: signedInErrors,
  }),
  get('get_session', '/get-session', {
    summary: 'The session and its user',
    guard: 'session',
    reply: z.object({
      session: z
        .object({
          id: z.uuid(),
          created_at: instant.describe('When it began.'),
          expires_at: instant.describe('When it ends.'),
          second_factor: z
            .enum(['none', 'needed', 'shown'])
            .describe(
              'Only a session that is `shown` opens anything of a workspace; `none`: the account has none to show, enrol one',
            ),
        })
        .describe('The session that asks.'),
      user: user.omit({ created_at: true }).describe('The account.'),
    }),
    errors: signedInErrors,
  }),
  get('list_sessions', '/list-sessions', {
    summary: 'List the live sessions of the account',
    guard: 'shown',
    reply: z.array(listedSession),
    errors: shownErrors,
  }),
  post('revoke_session', '/revoke-session', {
    summary: 'End one session of the account',
    guard: 'shown',
    body: z.strictObject({ id: rowId }),
    reply: done,
    errors: [...shownErrors, 'customer_session_not_found'],
  }),
  post('revoke_other_sessions', '/revoke-other-sessions', {
    summary: 'End every session of the account but this one',
    guard: 'shown',
    reply: done,
    errors: shownErrors,
  }),
  post('update_user', '/update-user', {
    summary: 'Change the name of the account',
    guard: 'shown',
    body: z.strictObject({ name }),
    reply: done,
    errors: shownErrors,
  }),
  post('change_password', '/change-password', {
    summary: 'Change the password, end every session and begin a new one',
    guard: 'recent',
    body: z.strictObject({ current_password: password, new_password: newPassword }),
    reply: signedIn,
    errors: [...recentErrors, 'password_wrong'],
  }),
  post('two_factor.enable', '/two-factor/enable', {
    summary: 'Begin to enrol an authenticator; verify-totp confirms it',
    guard: 'recent',
    body: z.strictObject({ password }),
    reply: z.object({
      totp_uri: z.string().describe('What the authenticator app scans.'),
      backup_codes: backupCodes,
    }),
    errors: [...recentErrors, 'password_wrong', 'second_factor_exists'],
  }),
  post('two_factor.verify_totp', '/two-factor/verify-totp', {
    summary: 'Finish a sign-in, confirm an authenticator, or show a second factor again',
    guard: 'second_step',
    body: z.strictObject({
      code: z
        .string()
        .regex(/^\d{6}$/)
        .describe('What the authenticator shows.'),
      two_factor_token: ceremonyToken.optional(),
    }),
    reply: stepped,
    errors: [...factorErrors, 'second_factor_already_used'],
  }),
  post('two_factor.verify_backup_code', '/two-factor/verify-backup-code', {
    summary: 'Finish a sign-in, or show a second factor again, with a backup code',
    guard: 'second_step',
    body: z.strictObject({
      code: z
        .string()
        .regex(/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/)
        .describe('One that has not been used.'),
      two_factor_token: ceremonyToken.optional(),
    }),
    reply: stepped,
    errors: [...factorErrors, 'second_factor_already_used'],
  }),
  post('two_factor.generate_backup_codes', '/two-factor/generate-backup-codes', {
    summary: 'Replace the backup codes',
    guard: 'recent',
    body: z.strictObject({ password }),
    reply: z.object({ backup_codes: backupCodes }),
    errors: [...recentErrors, 'password_wrong', 'second_factor_not_enrolled'],
  }),
  post('two_factor.disable', '/two-factor/disable', {
    summary: 'Remove the authenticator and its backup codes',
    guard: 'recent',
    body: z.strictObject({ password }),
    reply: z.object(newSession),
    errors: [...recentErrors, 'password_wrong'],
  }),
  get('passkey.register_options', '/passkey/generate-register-options', {
    summary: 'Begin to register a passkey',
    guard: 'recent',
    reply: ceremony,
    errors: recentErrors,
  }),
  post('passkey.register', '/passkey/verify-registration', {
    summary: 'Register a passkey',
    guard: 'recent',
    body: z.strictObject({
      response: attestation.describe('What navigator.credentials.create answered.'),
      name: name.optional(),
      passkey_token: ceremonyToken.optional(),
    }),
    reply: passkey,
    errors: [...recentErrors, 'challenge_invalid', 'passkey_rejected', 'passkey_exists'],
  }),
  get('passkey.sign_in_options', '/passkey/generate-authenticate-options', {
    summary: 'Begin to sign in with a passkey',
    guard: 'anyone',
    reply: ceremony,
    errors: [],
  }),
  post('passkey.sign_in', '/passkey/verify-authentication', {
    summary: 'Sign in with a passkey',
    guard: 'anyone',
    body: z.strictObject({
      response: assertion.describe('What navigator.credentials.get answered.'),
      passkey_token: ceremonyToken.optional(),
    }),
    reply: signedIn,
    errors: ['challenge_invalid', 'passkey_rejected'],
  }),
  get('passkey.list', '/passkey/list-user-passkeys', {
    summary: 'List the passkeys of the account',
    guard: 'shown',
    reply: z.array(passkey),
    errors: shownErrors,
  }),
  post('passkey.rename', '/passkey/update-passkey', {
    summary: 'Rename a passkey',
    guard: 'shown',
    body: z.strictObject({ id: rowId, name }),
    reply: passkey,
    errors: [...shownErrors, 'passkey_not_found'],
  }),
  post('passkey.delete', '/passkey/delete-passkey', {
    summary: 'Delete a passkey',
    guard: 'recent',
    body: z.strictObject({ id: rowId }),
    reply: done,
    errors: [...recentErrors, 'passkey_not_found'],
  }),
] as const satisfies readonly AuthRoute[]

export type AuthRouteId = (typeof authRoutes)[number]['id']
/** The routes that the library answers; we read the session ourselves, in one trip. */
export type LibraryRouteId = Exclude<AuthRouteId, 'auth.get_session'>
export type AuthBody<Id extends AuthRouteId> =
  Extract<(typeof authRoutes)[number], { id: Id }> extends { body?: infer B } ? BodyOf<B> : undefined
type BodyOf<B> = Exclude<B, undefined> extends infer S extends z.ZodType ? z.output<S> : undefined
