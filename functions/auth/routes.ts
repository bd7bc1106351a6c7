import * as z from 'zod'

/*
 * What is offered under /v1/auth, as data. Everything else of the identity library is not reachable: a call is made
 * by name (identity.ts), never by path. Bodies are the library's own, less the fields that we do not offer.
 */

/** What must hold before the library is asked. */
export type AuthGuard =
  /** Nobody has to be signed in. */
  | 'public'
  /** A live session. */
  | 'session'
  /** A live session that has just shown a second factor; of an account that has none, one that has just signed in. */
  | 'recent'
  /** Either the second step of a sign-in, or a session; the code is checked against the account's attempts. */
  | 'second_step'

export type AuthRoute = {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Below /v1/auth. */
  readonly path: string
  readonly summary: string
  readonly guard: AuthGuard
  readonly body?: z.ZodType
}

const email = z.email().max(254)
const name = z.string().trim().min(1).max(120)
const password = z.string().max(128)
const newPassword = z.string().min(12).max(128)
/** The challenge of a ceremony under way: 32 characters of a random token, signed. */
const flowToken = z.string().min(46).max(200)
const flow = { twoFactorToken: flowToken.optional() }
const ceremony = { passkeyToken: flowToken.optional() }

const encoded = z.string().min(1).max(16384)
const credential = {
  id: z.string().min(1).max(1400),
  rawId: z.string().min(1).max(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.looseObject({}).default({}),
}
/** `PublicKeyCredential.toJSON()` of a registration. */
const attestation = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(32)).max(8).optional(),
  }),
})
/** `PublicKeyCredential.toJSON()` of a sign-in. */
const assertion = z.looseObject({
  ...credential,
  response: z.looseObject({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
})

const route = <const R extends AuthRoute>(definition: R): R => definition

export const authRoutes = [
  route({
    id: 'auth.sign_up',
    method: 'POST',
    path: '/sign-up/email',
    summary: 'Create an account and sign in',
    guard: 'public',
    body: z.strictObject({ name, email, password: newPassword }),
  }),
  route({
    id: 'auth.sign_in',
    method: 'POST',
    path: '/sign-in/email',
    summary: 'Sign in with e-mail and password',
    guard: 'public',
    body: z.strictObject({ email, password }),
  }),
  route({
    id: 'auth.sign_out',
    method: 'POST',
    path: '/sign-out',
    summary: 'End this session',
    guard: 'session',
    body: z.strictObject({}).optional(),
  }),
  route({
    id: 'auth.get_session',
    method: 'GET',
    path: '/get-session',
    summary: 'The session and its user',
    guard: 'session',
  }),
  route({
    id: 'auth.list_sessions',
    method: 'GET',
    path: '/list-sessions',
    summary: 'List the live sessions of the account',
    guard: 'session',
  }),
  route({
    id: 'auth.revoke_session',
    method: 'POST',
    path: '/revoke-session',
    summary: 'End one session of the account',
    guard: 'session',
    body: z.strictObject({ id: z.string().min(1).max(64) }),
  }),
  route({
    id: 'auth.revoke_other_sessions',
    method: 'POST',
    path: '/revoke-other-sessions',
    summary: 'End every session of the account but this one',
    guard: 'session',
    body: z.strictObject({}).optional(),
  }),
  route({
    id: 'auth.update_user',
    method: 'POST',
    path: '/update-user',
    summary: 'Change the name of the account',
    guard: 'session',
    body: z.strictObject({ name }),
  }),
  route({
    id: 'auth.change_password',
    method: 'POST',
    path: '/change-password',
    summary: 'Change the password, end every session and begin a new one',
    guard: 'recent',
    body: z.strictObject({ currentPassword: password, newPassword }),
  }),
  route({
    id: 'auth.two_factor.enable',
    method: 'POST',
    path: '/two-factor/enable',
    summary: 'Begin to enrol an authenticator; verify-totp confirms it',
    guard: 'recent',
    body: z.strictObject({ password }),
  }),
  route({
    id: 'auth.two_factor.verify_totp',
    method: 'POST',
    path: '/two-factor/verify-totp',
    summary: 'Finish a sign-in, confirm an authenticator, or show a second factor again',
    guard: 'second_step',
    body: z.strictObject({ code: z.string().regex(/^\d{6}$/), ...flow }),
  }),
  route({
    id: 'auth.two_factor.verify_backup_code',
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    summary: 'Finish a sign-in, or show a second factor again, with a backup code',
    guard: 'second_step',
    body: z.strictObject({ code: z.string().regex(/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/), ...flow }),
  }),
  route({
    id: 'auth.two_factor.generate_backup_codes',
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    summary: 'Replace the backup codes',
    guard: 'recent',
    body: z.strictObject({ password }),
  }),
  route({
    id: 'auth.two_factor.disable',
    method: 'POST',
    path: '/two-factor/disable',
    summary: 'Remove the authenticator and its backup codes',
    guard: 'recent',
    body: z.strictObject({ password }),
  }),
  route({
    id: 'auth.passkey.register_options',
    method: 'GET',
    path: '/passkey/generate-register-options',
    summary: 'Begin to register a passkey',
    guard: 'recent',
  }),
  route({
    id: 'auth.passkey.register',
    method: 'POST',
    path: '/passkey/verify-registration',
    summary: 'Register a passkey',
    guard: 'recent',
    body: z.strictObject({ response: attestation, name: name.optional(), ...ceremony }),
  }),
  route({
    id: 'auth.passkey.sign_in_options',
    method: 'GET',
    path: '/passkey/generate-authenticate-options',
    summary: 'Begin to sign in with a passkey',
    guard: 'public',
  }),
  route({
    id: 'auth.passkey.sign_in',
    method: 'POST',
    path: '/passkey/verify-authentication',
    summary: 'Sign in with a passkey',
    guard: 'public',
    body: z.strictObject({ response: assertion, ...ceremony }),
  }),
  route({
    id: 'auth.passkey.list',
    method: 'GET',
    path: '/passkey/list-user-passkeys',
    summary: 'List the passkeys of the account',
    guard: 'session',
  }),
  route({
    id: 'auth.passkey.rename',
    method: 'POST',
    path: '/passkey/update-passkey',
    summary: 'Rename a passkey',
    guard: 'session',
    body: z.strictObject({ id: z.string().min(1).max(64), name }),
  }),
  route({
    id: 'auth.passkey.delete',
    method: 'POST',
    path: '/passkey/delete-passkey',
    summary: 'Delete a passkey',
    guard: 'recent',
    body: z.strictObject({ id: z.string().min(1).max(64) }),
  }),
] as const

export type AuthRouteId = (typeof authRoutes)[number]['id']
export type AuthBody<Id extends AuthRouteId> =
  Extract<(typeof authRoutes)[number], { id: Id }> extends { body: infer B extends z.ZodType }
    ? z.output<B>
    : undefined
