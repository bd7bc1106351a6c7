import { html, raw } from 'hono/html'
import { formatInZone } from '../../../../src/kernel/format.ts'
import { type Locale, withLocale } from '../../../../src/kernel/locale.ts'
import { qrSvg } from '../../../../src/platform/qr.ts'
import type { Role } from '../../../account/members/api-pure.ts'
import {
  alertBox,
  baseOf,
  type Ctx,
  foreign,
  type Html,
  hiddenFields,
  icon,
  layout,
  text,
} from '../../hosted-payment/api.ts'
import { invitationText } from './text-invitations.ts'

/** What door.invitation shows of an invitation. */
export interface Invited {
  readonly workspace: string
  readonly role: Role
  readonly inviter: string
  readonly email: string
  readonly status: 'pending' | 'accepted' | 'revoked' | 'expired'
  readonly expires_at: string
}

/** One view of a pending invitation. */
export interface Visit {
  readonly c: Ctx
  readonly locale: Locale
  readonly id: string
  readonly token: string
  readonly invited: Invited
}

export const wordsOf = ({ locale }: Pick<Visit, 'locale'>) => invitationText[locale]

export const pathOf = (token: string, step = ''): string => `/account/invitation/${token}${step}`

interface Panel {
  readonly title: Html | string
  readonly body: Html
  /** Its address answers only a form: a link to it would lose what was entered. */
  readonly isReply?: boolean
}

function panel({ c, locale }: Pick<Visit, 'c' | 'locale'>, { title, body, isReply = false }: Panel): Html {
  return layout(baseOf(c, locale), {
    title: wordsOf({ locale }).title,
    ...(isReply && { languageSwitch: html`` }),
    main: html`<section class="panel" aria-labelledby="step">
<h1 id="step">${title}</h1>
${body}
</section>`,
  })
}

interface Form {
  readonly step: string
  readonly button: string
  readonly fields?: Html
  readonly hidden?: Readonly<Record<string, string>>
  readonly kind?: 'primary' | 'secondary'
}

const formOf = (
  { locale, token }: Pick<Visit, 'locale' | 'token'>,
  { step, button, fields = html``, hidden = {}, kind = 'primary' }: Form,
): Html => html`<form method="post" action="${pathOf(token, step)}" data-once>
${hiddenFields({ locale, ...hidden })}${fields}
<button class="${kind}" data-busy="${text[locale].common.sending}">${button}</button>
</form>`

interface Field {
  readonly id: string
  readonly label: string
  readonly attributes: Html
  readonly wrong?: string | undefined
}

const fieldOf = ({ id, label, attributes, wrong }: Field): Html => html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${id}" ${attributes}${
  wrong === undefined ? '' : html` aria-invalid="true" aria-describedby="${id}-error" autofocus`
}>
${wrong === undefined ? '' : html`<p class="field-error" id="${id}-error">${wrong}</p>`}
</div>`

/** The address that is invited: a password manager fills in by it. */
const addressField = (visit: Visit): Html =>
  fieldOf({
    id: 'email',
    label: wordsOf(visit).email,
    attributes: html`type="email" value="${visit.invited.email}" readonly autocomplete="username"`,
  })

/** What is offered, and the two ways to go on. */
export function offerPage(visit: Visit): Html {
  const words = wordsOf(visit)
  const { invited, locale, token } = visit
  const facts = [
    [words.workspace, invited.workspace],
    [words.role, words.roles[invited.role]],
    [words.inviter, invited.inviter],
    [words.expires, formatInZone(new Date(invited.expires_at), locale)],
  ] as const
  const link = (step: string) => withLocale(pathOf(token, step), locale)
  return panel(visit, {
    title: words.title,
    body: html`<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<div class="stack">
<a class="primary" href="${link('/sign-up')}">${words.noAccount}</a>
<a class="secondary" href="${link('/sign-in')}">${words.haveAccount}</a>
<p class="muted">${words.unknown}</p>
</div>`,
  })
}

export function signInPage(visit: Visit, { wrong, alert }: { wrong?: string; alert?: string } = {}): Html {
  const words = wordsOf(visit)
  const { title, detail, button, forgotten, forgottenDetail } = words.signIn
  const password = fieldOf({
    id: 'password',
    label: words.password,
    attributes: html`type="password" autocomplete="current-password" maxlength="256" required`,
    wrong,
  })
  return panel(visit, {
    title,
    body: html`${alert === undefined ? '' : alertBox(alert)}<p class="muted asked">${detail}</p>
${formOf(visit, { step: '/sign-in', button, fields: html`${addressField(visit)}${password}` })}
<div class="stack"><p class="muted">${forgottenDetail}</p>
${formOf(visit, { step: '/password', button: forgotten, kind: 'secondary' })}</div>`,
  })
}

/** @param name what was entered before */
export function signUpPage(visit: Visit, { wrong = [] as readonly string[], name = '' } = {}): Html {
  const { title, detail, button, ...words } = wordsOf(visit).signUp
  const fields = [
    addressField(visit),
    fieldOf({
      id: 'name',
      label: words.name,
      attributes: html`type="text" value="${name}" autocomplete="name" maxlength="120" required`,
      wrong: wrong.includes('name') ? words.nameWrong : undefined,
    }),
    fieldOf({
      id: 'password',
      label: words.newPassword,
      attributes: html`type="password" autocomplete="new-password" minlength="12" maxlength="128" required`,
      wrong: wrong.includes('password') ? words.passwordWrong : undefined,
    }),
  ]
  return panel(visit, {
    title,
    body: html`<p class="muted asked">${detail}</p>
${formOf(visit, { step: '/sign-up', button, fields: html`${fields}` })}`,
  })
}

/** A mail is on its way; afterwards the person goes on with a sign-in. */
export function mailedPage(visit: Visit, what: 'mailed' | 'unconfirmed' | 'reset'): Html {
  const words = wordsOf(visit)
  const { title, detail } = words[what]
  const step = what === 'reset' ? '/password' : '/mail'
  return panel(visit, {
    title,
    isReply: true,
    body: html`<p class="asked">${detail}</p>
<div class="stack">
<a class="primary" href="${withLocale(pathOf(visit.token, '/sign-in'), visit.locale)}">${what === 'reset' ? words.signIn.title : words.mailed.button}</a>
${formOf(visit, { step, button: words.mailed.again, kind: 'secondary' })}
</div>`,
  })
}

const codeField = (label: string, wrong: string | undefined, inputMode: 'numeric' | 'text'): Html =>
  fieldOf({
    id: 'code',
    label,
    attributes: html`type="text" inputmode="${inputMode}" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" maxlength="11" required`,
    wrong,
  })

/** The second step of a sign-in. */
export function codePage(visit: Visit, ceremony: string, wrong?: string): Html {
  const { title, detail, button, label } = wordsOf(visit).code
  return panel(visit, {
    title,
    isReply: true,
    body: html`<p class="muted asked">${detail}</p>
${formOf(visit, { step: '/code', button, fields: codeField(label, wrong, 'text'), hidden: { ceremony } })}`,
  })
}

/** An authenticator that is being enrolled. */
export interface Enrolment {
  readonly bearer: string
  readonly uri: string
  readonly backupCodes: readonly string[]
}

export function enrolPage(visit: Visit, { bearer, uri, backupCodes }: Enrolment, wrong?: string): Html {
  const words = wordsOf(visit).enrol
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const form = formOf(visit, {
    step: '/code',
    button: words.button,
    fields: codeField(words.label, wrong, 'numeric'),
    hidden: { bearer, uri, codes: backupCodes.join(' ') },
  })
  return panel(visit, {
    title: words.title,
    isReply: true,
    body: html`<p class="asked">${words.detail}</p>
<div class="stack"><div class="to-phone">${raw(qrSvg(uri, words.qr))}<p>${words.scan}</p></div>
<a class="secondary" href="${uri}">${words.open}</a></div>
<p class="note asked">${words.secret} <code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<h2>${words.backup}</h2>
<p class="muted">${words.backupDetail}</p>
<ul class="backup-codes">${backupCodes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
${form}`,
  })
}

export function acceptPage(visit: Visit, bearer: string): Html {
  const words = wordsOf(visit)
  const { workspace, email, role } = visit.invited
  return panel(visit, {
    title: foreign(words.accept(workspace)),
    isReply: true,
    body: html`<p class="asked">${foreign(words.acceptDetail(email, words.roles[role]))}</p>
${formOf(visit, { step: '/accept', button: words.acceptButton, hidden: { bearer } })}
<div class="stack"><p class="muted">${words.unknown}</p></div>`,
  })
}

/** An end of the way. */
export function outcomePage(
  { c, locale }: Pick<Visit, 'c' | 'locale'>,
  what: 'accepted' | 'over' | 'passkey',
): Html {
  const { title, detail } = wordsOf({ locale })[what]
  return layout(baseOf(c, locale), {
    title,
    ...(c.req.method === 'POST' && { languageSwitch: html`` }),
    main: html`<section class="panel outcome" aria-labelledby="outcome">
${what === 'accepted' ? icon('check', 'good') : icon('info', 'calm')}
<h1 id="outcome">${title}</h1>
<p>${detail}</p>
</section>`,
  })
}
