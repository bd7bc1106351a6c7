import { Hono } from 'hono'
import { html } from 'hono/html'
import { Problem } from '../../../src/http/problems.ts'
import type { Env } from '../../../src/http/router.ts'
import { formatInZone } from '../../../src/kernel/format.ts'
import { baseOf, framed, icon, layout, localeOf } from '../../hosted-payment/api.ts'
import { mailOfToken } from '../../mails/api.ts'
import type { Role } from '../plan.ts'
import { invitationText } from './text.ts'

/** What door.invitation shows of an invitation. */
interface Shown {
  readonly workspace: string
  readonly role: Role
  readonly inviter: string
  readonly status: 'pending' | 'accepted' | 'revoked' | 'expired'
  readonly expires_at: string
}

const path = '/account/invitation/:token'

/**
 * Where the link of an invitation leads: what it is, and how it is accepted. Nothing is accepted here, since a page knows
 * no session and programs that check mails open links too.
 */
export function invitationPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use('/account/invitation/*', ...framed)
  app.get(path, async (c) => {
    const { db, settings } = c.get('services')
    const token = c.req.param('token')
    const locale = localeOf(c)
    const words = invitationText[locale]
    const id = await mailOfToken(settings.authSecrets, 'workspace_invitation', token)
    const found = id && (await db.call('door.invitation(uuid)', [id]))
    const shown = found ? (JSON.parse(found) as Shown) : null
    if (shown?.status !== 'pending') {
      const { title, detail } = shown?.status === 'accepted' ? words.accepted : words.over
      const main = html`<section class="panel outcome" aria-labelledby="outcome">
${shown?.status === 'accepted' ? icon('check', 'good') : icon('info', 'calm')}
<h1 id="outcome">${title}</h1>
<p>${detail}</p>
</section>`
      return c.html(layout(baseOf(c, locale), { title, main }), shown?.status === 'accepted' ? 200 : 410)
    }
    const base = settings.environment === 'live' ? settings.liveBaseUrl : settings.sandboxBaseUrl
    const facts = [
      [words.workspace, shown.workspace],
      [words.role, words.roles[shown.role]],
      [words.inviter, shown.inviter],
      [words.expires, formatInZone(new Date(shown.expires_at), locale)],
    ] as const
    const main = html`<section class="panel" aria-labelledby="invitation">
<h1 id="invitation">${words.title}</h1>
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<h2>${words.how}</h2>
<ol>${words.steps.map((step) => html`<li>${step}</li>`)}</ol>
<p class="request"><code>POST ${base}/v1/workspace-invitations/${id}/accept</code>
<code>Authorization: Bearer ${words.session}</code>
<code>Idempotency-Key: ${words.key}</code>
<code>Content-Type: application/json</code></p>
<p class="request"><code>{"token": "${token}"}</code></p>
<p class="muted">${words.unknown}</p>
</section>`
    return c.html(layout(baseOf(c, locale), { title: words.title, main }))
  })
  app.all(path, () => {
    throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
  })
  return app
}
