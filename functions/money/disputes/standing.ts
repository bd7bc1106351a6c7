import type { DisputeFacts } from '../../../src/processors/claims.ts'

type Status = DisputeFacts['state']
type Asked = 'needs_response' | 'inquiry_needs_response'
type Kind = 'created' | 'reopened' | 'inquiry_created' | 'inquiry_reopened' | Exclude<Status, Asked>

/** A bank's question before a dispute: it has claimed nothing, and the payment can be refunded. */
export const isInquiry = (status: string): boolean => status.startsWith('inquiry_')

/** Whether the bank holds or has taken money by it. */
export const counts = (status: string): boolean => status !== 'won' && !isInquiry(status)

/** Whether a dispute is undecided: refunds wait. */
export const isOpen = (status: string): boolean => status === 'needs_response' || status === 'under_review'

/** Whether the bank is waiting for evidence. */
export const asks = (status: string): boolean =>
  status === 'needs_response' || status === 'inquiry_needs_response'

export const isReviewed = (status: string): boolean =>
  status === 'under_review' || status === 'inquiry_under_review'

/** Whether nothing is awaited of anyone, as it stands. */
export const isOver = (status: string): boolean => !asks(status) && !isReviewed(status)

/** What a status that is new, or follows another, is called in events: one may tell two things. */
export function kindsOf(from: Status | null, to: Status): readonly Kind[] {
  const family = isInquiry(to) ? 'inquiry_' : ''
  const isAsked = to === 'needs_response' || to === 'inquiry_needs_response'
  if (from === null || isInquiry(from) !== isInquiry(to))
    return isAsked ? [`${family}created`] : [`${family}created`, to]
  return isAsked || (isOver(from) && !isOver(to)) ? [`${family}reopened`] : [to]
}
