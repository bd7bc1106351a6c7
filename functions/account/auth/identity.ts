import type { BetterAuthPlugin } from '@better-auth/core'
import { passkey } from '@better-auth/passkey'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { expireCookie, setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { relations } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import * as z from 'zod'
import {
  accounts,
  passkeys,
  sessions,
  twoFactors,
  users,
  verifications,
} from '../../../drizzle/identity/schema.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { log } from '../../../src/platform/log.ts'
import type { IdentityAccess } from './access.ts'
import { librarySecrets } from './encryption.ts'
import { replacePassword } from './identity-guards.ts'
import { noteFailures } from './query-failures.ts'

/** A session ends this long after it began, however much it is used. */
export const sessionLifeSeconds = 12 * 60 * 60

/** How long a ceremony (second step of a sign-in, passkey) is valid. */
export const ceremonyLifeSeconds = 5 * 60

/** The sign-ins that show a second factor. A passkey alone does: it verifies its user. */
const factorPaths = new Set(['/two-factor/end-second-step', '/passkey/verify-authentication'])

/** Ends a sign-in whose second step has been checked: its challenge, which works once, becomes a session. */
const secondStep = {
  id: 'second-step',
  endpoints: {
    endSecondStep: createAuthEndpoint(
      '/two-factor/end-second-step',
      { method: 'POST', body: z.object({ challenge: z.string(), userId: z.string() }) },
      async (ctx) => {
        const { internalAdapter, createAuthCookie } = ctx.context
        const { challenge, userId } = ctx.body
        const consumed = await internalAdapter.consumeVerificationValue(challenge)
        const user = consumed?.value === userId ? await internalAdapter.findUserById(userId) : null
        if (!user) throw refuse('CHALLENGE_NOT_FOUND')
        const session = await internalAdapter.createSession(userId)
        await setSessionCookie(ctx, { session, user })
        expireCookie(ctx, createAuthCookie('two_factor'))
        return { token: session.token, user }
      },
    ),
  },
} satisfies BetterAuthPlugin

/** The library's change of a password would overwrite one that was set, or outlive a session that was ended, meanwhile. */
const ownPassword = (access: IdentityAccess) =>
  ({
    id: 'own-password',
    endpoints: {
      replacePassword: createAuthEndpoint(
        '/replace-password',
        {
          method: 'POST',
          body: z.object({ current: z.string(), next: z.string() }),
          use: [sensitiveSessionMiddleware],
        },
        async (ctx) => {
          const { internalAdapter, password, session } = ctx.context
          const { user } = session
          const hash = (await internalAdapter.findCredentialAccount(user.id))?.password
          if (!hash || !(await password.verify({ hash, password: ctx.body.current })))
            throw refuse('INVALID_PASSWORD')
          const next = await password.hash(ctx.body.next)
          const mark = await replacePassword(access, session.session.id, { hash, next })
          if (mark === null) throw refuse('UNAUTHORIZED')
          const begun = await internalAdapter.createSession(user.id)
          await setSessionCookie(ctx, { session: begun, user })
          return { token: begun.token, user, mark }
        },
      ),
    },
  }) satisfies BetterAuthPlugin

const refuse = (code: string) => APIError.from('UNAUTHORIZED', { code, message: code })

/** The tables under the library's names, and what it joins. */
const tables = {
  user: users,
  session: sessions,
  account: accounts,
  verification: verifications,
  twoFactor: twoFactors,
  passkey: passkeys,
}
const joins = {
  userRelations: relations(users, ({ many }) => ({ accounts: many(accounts) })),
  accountRelations: relations(accounts, ({ one }) => ({
    user: one(users, { fields: [accounts.userId], references: [users.id] }),
  })),
  sessionRelations: relations(sessions, ({ one }) => ({
    user: one(users, { fields: [sessions.userId], references: [users.id] }),
  })),
}

/**
 * better-auth as this service uses it: called by name through `auth.api`, never routed to. It uses no cookies of its
 * own with clients; the caller translates bearers and challenges to the cookies that it expects (see bearer-cookies.ts).
 */
export function createIdentity(access: IdentityAccess) {
  const database = drizzleAdapter(throughPlatform(access), {
    provider: 'pg',
    schema: tables,
    // Neon over HTTP has no transactions; what must not be left half done is one statement of ours.
    transaction: false,
  })
  return betterAuth({
    appName: 'Spindle',
    baseURL: access.baseUrl,
    basePath: '/v1/auth',
    secrets: librarySecrets(access.secrets),
    database,
    trustedOrigins: [...access.origins],
    // The contract counts characters, the library UTF-16 units: up to two for each.
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 256 },
    session: {
      expiresIn: sessionLifeSeconds,
      disableSessionRefresh: true,
      // Our guard `recent` replaces it.
      freshAge: 0,
      additionalFields: {
        factorVerifiedAt: { type: 'date', required: false, input: false },
        secretVersion: { type: 'number', required: false, input: false, returned: false },
      },
    },
    databaseHooks: {
      session: {
        create: {
          // A session that replaces another, as after a new password, inherits its shown factor.
          before: async (_session, context) => ({
            data: {
              secretVersion: Number(access.secrets.current),
              factorVerifiedAt: factorPaths.has(context?.path ?? '')
                ? new Date()
                : (context?.context.session?.session.factorVerifiedAt ?? null),
            },
          }),
        },
      },
    },
    // A scheduled job removes expired rows, instead of every lookup.
    verification: { storeIdentifier: 'hashed', disableCleanup: true },
    plugins: [
      twoFactor({
        issuer: 'Spindle',
        twoFactorCookieMaxAge: ceremonyLifeSeconds,
        // Our lockout counts before it checks and is shared with step-up: see second-factor.ts.
        accountLockout: { enabled: false },
      }),
      secondStep,
      ownPassword({ ...access, sql: noteFailures(access.sql) }),
      passkey({
        rpID: access.rpId,
        rpName: 'Spindle',
        origin: [...access.origins],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        advanced: { webAuthnChallengeCookie: 'passkey' },
        // The plugin does not require user verification. Without it a stolen key fob would be both factors.
        registration: {
          afterVerification: async ({ verification }) => {
            if (!verification.registrationInfo?.userVerified) throw refuse('AUTHENTICATION_FAILED')
          },
        },
        authentication: {
          afterVerification: async ({ verification }) => {
            if (!verification.authenticationInfo.userVerified) throw refuse('AUTHENTICATION_FAILED')
          },
        },
      }),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      // The library's messages contain values; what it throws is logged where it is caught, with the request.
      log: (_level, ...said) =>
        log(
          'error',
          { place: 'identity', requestId: null },
          said.find((each) => each instanceof Error) ?? 'library',
        ),
    },
    advanced: {
      cookiePrefix: 'spindle',
      useSecureCookies: access.baseUrl.startsWith('https://'),
      defaultCookieAttributes: { path: '/v1/auth', sameSite: 'strict' },
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
      database: { generateId: () => uuidv7(Date.now()), joins: true },
    },
  })
}

/**
 * Drizzle over the platform's SQL access. Its queries name every column once and in order, so a row's values are its
 * cells.
 */
function throughPlatform(access: IdentityAccess) {
  const sql = noteFailures(access.sql)
  const query = async (text: string, values: readonly unknown[]) => {
    const rows = await sql(text, values)
    return { rows: rows.map((row) => Object.values(row)) }
  }
  return drizzle(query, { schema: { ...tables, ...joins } })
}

export type Identity = ReturnType<typeof createIdentity>
