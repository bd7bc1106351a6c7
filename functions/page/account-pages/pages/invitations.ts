import type { Context } from 'hono'
import { Hono } from '../../../../src/http/hono.ts'
import { runForPage } from '../../../../src/http/page-call.ts'
import { Problem, type ProblemCode } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { limitRate, networkOfCaller } from '../../../../src/http/stages/rate-limit.ts'
import { type Locale, withLocale } from '../../../../src/kernel/locale.ts'
import { type AccessOf, askAccounts } from '../../../account/auth/api.ts'
import { mailOfToken } from '../../../account/mails/api.ts'
import { accept } from '../../../account/members/api.ts'
import { type Ctx, formFields, framed, localeOf, page } from '../../hosted-payment/api.ts'
import { forgetInvitation, rememberInvitation } from './invitation-cookie.ts'
import {
  acceptPage,
  codePage,
  type Enrolment,
  enrolPage,
  type Invited,
  mailedPage,
  offerPage,
  outcomePage,
  pathOf,
  signInPage,
  signUpPage,
  type Visit,
  wordsOf,
} from './invitation-views.ts'

const path = '/account/invitation/:token'

type Step = (visit: Visit, field: (name: string) => string) => Promise<Response>

/**
 * Where the link of an invitation leads: what it offers, and the steps that accept it. Opening one changes nothing, since
 * programs that check mails open links too: its forms do. The session of a step travels in the next step's form and in no
 * cookie, so that no other site's page can act with it.
 */
export function invitationPages(accessOf: AccessOf): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/account/invitation/*', ...framed)

  const shows = (step: string, view: (visit: Visit) => Response | Promise<Response>) =>
    app.get(`${path}${step}`, async (c) => {
      const visit = await visitOf(c, localeOf(c))
      return visit instanceof Response ? visit : view(visit)
    })
  const takes = (step: string, take: Step) =>
    app.post(`${path}${step}`, async (c) => {
      await limitRate(c.env, 'auth', networkOfCaller(c))
      const field = await formFields(c)
      const visit = await visitOf(c, localeOf(c, field('locale')))
      return visit instanceof Response ? visit : take(visit, field)
    })

  shows('', (visit) => page(visit.c, offerPage(visit)))
  shows('/sign-in', (visit) => page(visit.c, signInPage(visit)))
  shows('/sign-up', (visit) => page(visit.c, signUpPage(visit)))
  takes('/sign-in', signIn(accessOf))
  takes('/sign-up', signUp(accessOf))
  takes('/mail', mails(accessOf, 'auth.send_verification_email', 'mailed'))
  takes('/password', mails(accessOf, 'auth.request_password_reset', 'reset'))
  takes('/code', secondStep(accessOf))
  takes('/accept', join(accessOf))
  // What was entered there is gone, or was never there: the sign-in begins again.
  for (const step of ['/mail', '/password', '/code', '/accept'])
    shows(step, ({ c, token, locale }) => c.redirect(withLocale(pathOf(token, '/sign-in'), locale), 303))
  app.all(path, () => {
    throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
  })
  return app
}

/** The pending invitation that the address names; otherwise the page that says why there is none. */
async function visitOf(c: Context<Env>, locale: Locale): Promise<Visit | Response> {
  const { db, settings } = c.get('services')
  const token = c.req.param('token')!
  const id = await mailOfToken(settings.authSecrets, 'workspace_invitation', token)
  const found = id && (await db.call('door.invitation(uuid)', [id]))
  const invited = found ? (JSON.parse(found) as Invited) : null
  if (invited?.status === 'accepted') return page(c, outcomePage({ c, locale }, 'accepted'))
  if (!id || invited?.status !== 'pending') return page(c, outcomePage({ c, locale }, 'over'), 410)
  return { c, locale, id, token, invited }
}

/** What one of these errors is answered with; any other is thrown. */
async function orElse(
  work: () => Promise<Response>,
  answers: Readonly<Partial<Record<ProblemCode, () => Response | Promise<Response>>>>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const answer = error instanceof Problem ? answers[error.code] : undefined
    if (!answer) throw error
    return answer()
  }
}

const again = (visit: Visit) => page(visit.c, signInPage(visit, { alert: wordsOf(visit).signIn.again }), 422)

const endSession = (accessOf: AccessOf, c: Ctx, bearer: string) =>
  c.executionCtx.waitUntil(askAccounts(accessOf, c, { id: 'auth.sign_out', bearer }).catch(() => {}))

interface SignedIn {
  readonly two_factor_redirect?: true
  readonly two_factor_token?: string
  readonly token: string
  readonly user: { readonly email_verified: boolean }
}

const signIn =
  (accessOf: AccessOf): Step =>
  (visit, field) => {
    const { c, invited } = visit
    const refused = () => page(c, signInPage(visit, { wrong: wordsOf(visit).signIn.wrong }), 422)
    return orElse(
      async () => {
        const password = field('password')
        const asked = await askAccounts(accessOf, c, {
          id: 'auth.sign_in',
          body: { email: invited.email, password },
        })
        if ('wrong' in asked) return refused()
        const { two_factor_redirect, two_factor_token, token: bearer, user } = asked.reply.body as SignedIn
        if (two_factor_redirect)
          return two_factor_token === undefined
            ? page(c, outcomePage(visit, 'passkey'))
            : page(c, codePage(visit, two_factor_token))
        if (!user.email_verified) {
          // The link that confirms the address removes what is enrolled before.
          endSession(accessOf, c, bearer)
          rememberInvitation(c, visit.token)
          return page(c, mailedPage(visit, 'unconfirmed'))
        }
        return enrolling(accessOf, visit, { bearer, password })
      },
      { sign_in_failed: refused, second_factor_exists: () => again(visit) },
    )
  }

/** The account has no second factor, which accepting takes: it enrols an authenticator. */
async function enrolling(
  accessOf: AccessOf,
  visit: Visit,
  { bearer, password }: { bearer: string; password: string },
) {
  const asked = await askAccounts(accessOf, visit.c, {
    id: 'auth.two_factor.enable',
    body: { password },
    bearer,
  })
  if ('wrong' in asked) throw new Problem('internal')
  const { totp_uri: uri, backup_codes: backupCodes } = asked.reply.body as {
    totp_uri: string
    backup_codes: string[]
  }
  return page(visit.c, enrolPage(visit, { bearer, uri, backupCodes }))
}

const signUp =
  (accessOf: AccessOf): Step =>
  async (visit, field) => {
    const { c, invited } = visit
    const name = field('name')
    const asked = await askAccounts(accessOf, c, {
      id: 'auth.sign_up',
      body: { name, email: invited.email, password: field('password') },
    })
    if ('wrong' in asked) return page(c, signUpPage(visit, { wrong: asked.wrong, name }), 422)
    rememberInvitation(c, visit.token)
    return page(c, mailedPage(visit, 'mailed'))
  }

const mails =
  (
    accessOf: AccessOf,
    id: 'auth.send_verification_email' | 'auth.request_password_reset',
    said: 'mailed' | 'reset',
  ): Step =>
  async (visit) => {
    await askAccounts(accessOf, visit.c, { id, body: { email: visit.invited.email } })
    rememberInvitation(visit.c, visit.token)
    return page(visit.c, mailedPage(visit, said))
  }

/** The enrolment that the form of its page carries; null where it carries none. */
function enrolmentIn(field: (name: string) => string): Enrolment | null {
  const [bearer, uri] = [field('bearer'), field('uri')]
  if (bearer === '' || !/^otpauth:\/\/totp\/[\x21-\x7e]{1,1000}$/.test(uri) || !URL.canParse(uri)) return null
  return { bearer, uri, backupCodes: field('codes').split(' ').slice(0, 20) }
}

/** Ends a sign-in with a code, or confirms a new authenticator with its first. */
const secondStep =
  (accessOf: AccessOf): Step =>
  (visit, field) => {
    const { c } = visit
    const words = wordsOf(visit).code
    const enrolment = enrolmentIn(field)
    const asking = (wrong: string) =>
      enrolment ? enrolPage(visit, enrolment, wrong) : codePage(visit, field('ceremony'), wrong)
    const code = field('code').replaceAll(/\s/g, '')
    const isBackup = code.includes('-')
    return orElse(
      async () => {
        const asked = await askAccounts(accessOf, c, {
          id: isBackup && !enrolment ? 'auth.two_factor.verify_backup_code' : 'auth.two_factor.verify_totp',
          body: { code, ...(!enrolment && { two_factor_token: field('ceremony') }) },
          bearer: enrolment?.bearer ?? null,
        })
        if ('wrong' in asked)
          return asked.wrong.includes('code') ? page(c, asking(words.wrong), 422) : again(visit)
        return page(c, acceptPage(visit, (asked.reply.body as SignedIn).token))
      },
      {
        second_factor_wrong: () => page(c, asking(words.wrong), 422),
        second_factor_already_used: () => page(c, asking(words.used), 422),
        second_factor_locked: () => page(c, asking(words.locked), 423),
        challenge_invalid: () => again(visit),
        session_invalid: () => again(visit),
        second_factor_not_enrolled: () => again(visit),
      },
    )
  }

const join =
  (accessOf: AccessOf): Step =>
  (visit, field) => {
    const { c, id, token } = visit
    const bearer = field('bearer')
    const accepted = () => {
      forgetInvitation(c)
      return page(c, outcomePage(visit, 'accepted'))
    }
    c.set('resend', { action: c.req.path, fields: { locale: visit.locale, bearer } })
    return orElse(
      async () => {
        const input = { params: { id }, query: undefined, body: { token } }
        await runForPage(c, accept, { kind: 'invitee', bearer }, input)
        // The page has no further use for it.
        endSession(accessOf, c, bearer)
        return accepted()
      },
      {
        invitation_already_accepted: accepted,
        already_member: accepted,
        invitation_revoked: () => page(c, outcomePage(visit, 'over'), 410),
        invitation_expired: () => page(c, outcomePage(visit, 'over'), 410),
        // The session is of another address.
        invitation_not_found: () => again(visit),
        email_not_confirmed: () => page(c, mailedPage(visit, 'unconfirmed')),
        second_factor_needed: () => again(visit),
        second_factor_required: () => again(visit),
        session_invalid: () => again(visit),
      },
    )
  }
