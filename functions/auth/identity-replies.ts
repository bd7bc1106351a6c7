import type { Outgoing } from './bearer-cookies.ts'
import type { LibraryRouteId } from './routes.ts'

/*
 * Replies by route. Every field is named, so that nothing the library adds to a row can slip out. Under /v1/auth names
 * are the library's (camelCase).
 */

type Row = Record<string, unknown>

export type Presenting = {
  readonly response: unknown
  readonly out: Outgoing
  /** When a session that began now ends. */
  readonly newSessionEnds: Date
  /** The token of the calling session. */
  readonly ownToken: string | null
}

type Presenter = (reply: Presenting) => unknown

const user = (row: Row) =>
  pick(row, ['id', 'email', 'emailVerified', 'name', 'twoFactorEnabled', 'createdAt'])

const passkey = (row: Row) => pick(row, ['id', 'name', 'deviceType', 'backedUp', 'aaguid', 'createdAt'])

const newSession = ({ out, newSessionEnds }: Presenting) =>
  out.sessionToken === null ? {} : { token: out.sessionToken, expiresAt: newSessionEnds }

const signedIn: Presenter = (reply) => {
  const row = reply.response as Row
  if (row.twoFactorRedirect !== true) return { ...newSession(reply), user: user(row.user as Row) }
  return { ...pick(row, ['twoFactorRedirect', 'twoFactorMethods']), ...reply.out.ceremonyTokens }
}

/** A second step: of a sign-in (with its user) or within a session, whose token may have been replaced. */
const stepped: Presenter = (reply) => {
  const row = reply.response as Row
  const token = reply.out.sessionToken === null ? { token: row.token } : newSession(reply)
  return row.user === undefined ? token : { ...token, user: user(row.user as Row) }
}

const done: Presenter = () => ({ status: true })

const ceremony: Presenter = ({ response, out }) => ({
  ...(response as Row),
  userVerification: 'required',
  ...out.ceremonyTokens,
})

export const presenters: Record<LibraryRouteId, Presenter> = {
  'auth.sign_up': done,
  'auth.sign_in': signedIn,
  'auth.sign_out': done,
  'auth.list_sessions': ({ response, ownToken }) =>
    (response as Row[]).map((row) => ({
      ...pick(row, ['id', 'createdAt', 'expiresAt']),
      ipAddress: row.ipAddress || null,
      userAgent: row.userAgent || null,
      current: row.token === ownToken,
    })),
  'auth.revoke_session': done,
  'auth.revoke_other_sessions': done,
  'auth.update_user': done,
  'auth.change_password': (reply) => ({
    ...newSession(reply),
    user: user((reply.response as Row).user as Row),
  }),
  'auth.two_factor.enable': ({ response }) => pick(response as Row, ['totpURI', 'backupCodes']),
  'auth.two_factor.verify_totp': stepped,
  'auth.two_factor.verify_backup_code': stepped,
  'auth.two_factor.generate_backup_codes': ({ response }) => pick(response as Row, ['backupCodes']),
  'auth.two_factor.disable': newSession,
  'auth.passkey.register_options': ({ response, out }) => ({ ...(response as Row), ...out.ceremonyTokens }),
  'auth.passkey.register': ({ response }) => passkey(response as Row),
  'auth.passkey.sign_in_options': ceremony,
  'auth.passkey.sign_in': signedIn,
  'auth.passkey.list': ({ response }) => (response as Row[]).map(passkey),
  'auth.passkey.rename': ({ response }) => passkey((response as { passkey: Row }).passkey),
  'auth.passkey.delete': done,
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))
}
