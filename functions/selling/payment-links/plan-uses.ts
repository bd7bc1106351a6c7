import { refuse } from '../../../src/kernel/plan.ts'
import type { LinkRow, ShownLink } from './store.ts'

/** All uses of a limited link are paid. */
export const isUsedUp = ({ usesMax, paidCount }: ShownLink): boolean =>
  usesMax !== null && paidCount >= usesMax

/** What is left of a limited link's uses is held by payments that may still fail. */
export const isTaken = ({ usesMax, paidCount, heldCount }: ShownLink): boolean =>
  usesMax !== null && paidCount + heldCount >= usesMax

export function problemOfUses(link: LinkRow) {
  if (link.usesMax !== null && link.usage === 'single_use')
    return refuse('parameter_unknown', {
      param: 'uses_max',
      message: 'A link of usage "single_use" is paid once: uses_max belongs to "multi_use".',
    })
  return link.usesMax !== null && link.paidCount + link.heldCount > link.usesMax
    ? refuse('payment_link_uses_taken', { param: 'uses_max' })
    : null
}

const startDaysMax = 365
const dayMs = 24 * 3_600_000

export function problemOfStart({ startsAt, expiresAt }: LinkRow, now: Date) {
  if (startsAt === null) return null
  const wrong = (message: string) => refuse('parameter_invalid', { param: 'starts_at', message })
  if (expiresAt !== null && startsAt >= expiresAt) return wrong('starts_at lies before expires_at.')
  return startsAt.getTime() - now.getTime() > startDaysMax * dayMs
    ? wrong(`starts_at is more than ${startDaysMax} days ahead.`)
    : null
}
