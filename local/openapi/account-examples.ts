import type { AuthRouteId } from '../../functions/account/auth/routes.ts'

type Example = { readonly body?: unknown; readonly reply: unknown }

const instant = '2026-06-13T12:00:00.000Z'
const expiresAt = '2026-06-14T00:00:00.000Z'
const id = '0190a6d2-7c3e-7b1a-9f00-000000000011'
const password = 'correct horse battery'
const token = 'kq2XvT8bN4mWc6ZrYd1LhJ9sPfG3aQeU.Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHk'
const ceremonyToken = '2fa-8cVtY2mPqR5sNwXzK1bD7fGhJ3aL9eUo.Zm9yIHRoZSBkb2N1bWVudGF0aW9u'
const linkToken =
  '0190a6d2-7c3e-7b1a-9f00-000000000012.c807457de80bfe13f0bb60d71575dfb9fbe1e801827ffc6917250cff02185a55'
const email = 'ana@example.com'
const profile = { id, email, email_verified: false, name: 'Ana', two_factor_enabled: true }
const user = { ...profile, created_at: instant }
const session = { token, expires_at: expiresAt }
const signedIn = { ...session, user }
const done = { status: true }
const backupCodes = ['RvvX4-R1XQ3', 'b8KzP-2mWqT']
const passkey = {
  id,
  name: 'Laptop',
  device_type: 'multiDevice',
  backed_up: true,
  aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
  created_at: instant,
}
const signIn = {
  challenge: 'mJ7wQx2bVtYc5ZrKd1LhN9sPfG3aXeU8',
  rpId: 'sandbox.spindle.example',
  timeout: 60000,
  userVerification: 'required',
  passkey_token: ceremonyToken,
}
const credential = { id: 'dGhlIGNyZWRlbnRpYWw', rawId: 'dGhlIGNyZWRlbnRpYWw', type: 'public-key' }
const assertion = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQD',
  },
}
const attestation = {
  ...credential,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
}

/** An example of every route under /v1/auth that the identity library answers. */
export const accountExamples: Readonly<Record<AuthRouteId, Example>> = {
  'auth.sign_up': { body: { name: 'Ana', email, password }, reply: done },
  'auth.sign_in': { body: { email, password }, reply: signedIn },
  'auth.send_verification_email': { body: { email }, reply: done },
  'auth.verify_email': { body: { token: linkToken }, reply: done },
  'auth.request_password_reset': { body: { email }, reply: done },
  'auth.reset_password': { body: { new_password: 'another horse battery', token: linkToken }, reply: done },
  'auth.sign_out': { reply: done },
  'auth.get_session': {
    reply: {
      session: { id, created_at: instant, expires_at: expiresAt, second_factor: 'shown' },
      user: profile,
    },
  },
  'auth.list_sessions': {
    reply: [
      {
        id,
        created_at: instant,
        expires_at: expiresAt,
        ip_address: '192.0.2.7',
        user_agent: 'curl/8.14',
        current: true,
      },
    ],
  },
  'auth.revoke_session': { body: { id }, reply: done },
  'auth.revoke_other_sessions': { reply: done },
  'auth.update_user': { body: { name: 'Ana María' }, reply: done },
  'auth.change_password': {
    body: { current_password: password, new_password: 'another horse battery' },
    reply: signedIn,
  },
  'auth.two_factor.enable': {
    body: { password },
    reply: {
      totp_uri:
        'otpauth://totp/Spindle:ana%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Spindle&digits=6&period=30',
      backup_codes: backupCodes,
    },
  },
  'auth.two_factor.verify_totp': {
    body: { code: '123456', two_factor_token: ceremonyToken },
    reply: signedIn,
  },
  'auth.two_factor.verify_backup_code': {
    body: { code: 'RvvX4-R1XQ3', two_factor_token: ceremonyToken },
    reply: signedIn,
  },
  'auth.two_factor.generate_backup_codes': { body: { password }, reply: { backup_codes: backupCodes } },
  'auth.two_factor.disable': { body: { password }, reply: session },
  'auth.passkey.register_options': {
    reply: { ...signIn, rp: { name: 'Spindle', id: signIn.rpId }, attestation: 'none' },
  },
  'auth.passkey.register': {
    body: { response: attestation, name: 'Laptop', passkey_token: ceremonyToken },
    reply: passkey,
  },
  'auth.passkey.sign_in_options': { reply: signIn },
  'auth.passkey.sign_in': { body: { response: assertion, passkey_token: ceremonyToken }, reply: signedIn },
  'auth.passkey.list': { reply: [passkey] },
  'auth.passkey.rename': { body: { id, name: 'Work laptop' }, reply: { ...passkey, name: 'Work laptop' } },
  'auth.passkey.delete': { body: { id }, reply: done },
}
