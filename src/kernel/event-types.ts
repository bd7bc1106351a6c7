/**
 * Every type of event, with its description. A type that is not listed does not compile where events are made. A new
 * one is a line here; its resource is the part before the dot, with an example in local/openapi/event-objects.ts.
 */
export const eventTypes = {
  'api_key.created': 'An API key was created.',
  'api_key.activated': 'An API key works from now on.',
  'api_key.failed': 'An API key could not be made ready and never worked.',
  'api_key.rotated': 'An API key has a successor; it works beside it until its overlap ends.',
  'api_key.revoking': 'An API key works no more: it was revoked, or its time ended.',
  'api_key.revoked': 'An API key is gone from every cache.',
  'api_key.transfer_limit_set': 'The amount above which a key’s transfers wait for approval has changed.',

  'processor_credential.superseded':
    'Another account of yours became the active one; this one serves what it took.',
  'processor_credential.updated': 'The keys of your own account at a processor were set.',

  'payment_link.created': 'A payment link was created.',
  'payment_link.updated': 'A payment link was changed.',
  'payment_link.activated': 'A payment link can be paid again.',
  'payment_link.deactivated': 'A payment link cannot be paid for now.',
  'payment_link.expired': 'The time of a payment link has passed.',
  'payment_link.paid': 'A single-use payment link was paid.',
  'payment_link.revoked': 'A payment link was revoked, for good.',
  'payment_link.archived': 'A payment link was archived.',

  'payment.created': 'A buyer began to pay.',
  'payment.processing': 'A declined payment is tried again.',
  'payment.requires_action': 'It is the buyer’s turn: at the bank’s page, at a till, at their own bank.',
  'payment.requires_payment_method': 'The buyer gave up a voucher or a CLABE and may choose another method.',
  'payment.authorized': 'A card was authorised; capture it before capture_before.',
  'payment.partially_funded': 'A SPEI transfer arrived that does not reach the amount yet.',
  'payment.succeeded': 'The payment is paid.',
  'payment.partially_captured': 'Part of an authorised amount was captured.',
  'payment.declined': 'An attempt was declined; the buyer may try another card.',
  'payment.canceled': 'The payment was canceled.',
  'payment.expired': 'The buyer did not pay, or you did not capture, in time.',
  'payment.amount_mismatch':
    'The processor’s numbers contradict ours: nothing was booked, people look at it.',
  'payment.reversal_failed': 'What contradicted our numbers could not be given back; it stays under review.',
  'payment.funds_available': 'The net of a payment has become available.',
  'payment.reserve_released': 'What was kept back of a payment has become available.',
  'payment.refunded': 'The refunded amount of a payment has grown.',
  'payment.refund_reversed': 'A refund failed or was canceled: the refunded amount has shrunk.',
  'payment.disputed': 'The disputed amount of a payment has grown.',
  'payment.dispute_released': 'A dispute was won: the disputed amount of a payment has shrunk.',

  'unapplied_funds.created': 'Money arrived that belongs to no open payment: too much, too late, unknown.',
  'unapplied_funds.applied': 'Unapplied funds were applied to a payment.',

  'refund.created': 'A refund was asked for, or made at the processor.',
  'refund.awaiting_approval': 'A refund waits for the approval of a person.',
  'refund.approved': 'A refund was approved.',
  'refund.pending': 'A refund waits for your balance.',
  'refund.processing': 'A refund is on its way.',
  'refund.succeeded': 'A refund has reached the buyer’s bank.',
  'refund.failed': 'A refund failed, or came back; the amount can be refunded again.',
  'refund.canceled': 'A refund was canceled before it was sent.',
  'refund.amount_mismatch': 'The processor’s numbers of a refund contradict ours; people look at it.',

  'dispute.created': 'A buyer’s bank took the money of a payment back; answer by evidence_due_by.',
  'dispute.under_review': 'The evidence of a dispute is being looked at.',
  'dispute.reopened':
    'The bank asks again, or looks again at what it had decided: while it is needs_response, answer by evidence_due_by.',
  'dispute.hold_increased':
    'More of a claim is held, or gone where it is lost: a refund that was in its way has failed since.',
  'dispute.hold_decreased':
    'Part of what a dispute held or had taken was refunded at the processor: it is that much less.',
  'dispute.won': 'A dispute was decided for you: the money is yours again.',
  'dispute.lost': 'A dispute was decided for the buyer, perhaps after it was won: previous_attributes tells.',

  'transfer.created': 'A transfer was asked for.',
  'transfer.awaiting_approval': 'A transfer waits for the approval of a person.',
  'transfer.approved': 'A transfer was approved.',
  'transfer.canceled': 'A transfer was canceled before it was sent.',
  'transfer.processing': 'A transfer is on its way.',
  'transfer.paid': 'A transfer has arrived.',
  'transfer.failed': 'A transfer failed; the money is available again.',
  'transfer.returned': 'The receiving bank sent a transfer back; the money is available again.',
  'incoming_transfer.received': 'Money was put into your balance by a transfer.',

  'payout_settings.updated': 'The payout settings of a currency were changed.',
  'payout_settings.destination_changed':
    'Payouts go to another account once its cool-down is over. If it was not you, set it back.',
  'payout.created': 'A payout was made of your available balance.',
  'payout.in_transit': 'A payout is on its way to your bank.',
  'payout.paid': 'A payout has arrived.',
  'payout.failed': 'A payout failed; the money is available again.',
  'payout.returned': 'Your bank sent a payout back; the money is available again.',
  'payout.canceled': 'A payout was canceled.',

  'webhook_endpoint.created': 'A webhook endpoint was created.',
  'webhook_endpoint.updated': 'A webhook endpoint was changed.',
  'webhook_endpoint.enabled': 'A webhook endpoint receives again.',
  'webhook_endpoint.paused': 'A webhook endpoint was paused: what happens waits for it.',
  'webhook_endpoint.degraded': 'A webhook endpoint has failed for twelve hours.',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled; disabled_reason tells why.',
  'webhook_endpoint.secret_rotated': 'A webhook endpoint has a new secret.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.test':
    'A test that you asked for; goes to the endpoint that it is about and to no other.',
} as const satisfies Readonly<Record<string, string>>

export type EventType = keyof typeof eventTypes

/** What events can be about: `payment` of `payment.succeeded`. */
export type EventResource = EventType extends `${infer Resource}.${string}` ? Resource : never

/** What events of a type are about. */
export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as EventResource

/**
 * Which scopes let an API key read events about a resource: any of those that read the resource itself. Resources that
 * no API key reads (keys, accounts at processors) need workspace:read.
 */
export const eventScopes = {
  api_key: ['workspace:read'],
  processor_credential: ['workspace:read'],
  payment_link: ['payment_links:read'],
  payment: ['reporting:read', 'payment_links:read'],
  unapplied_funds: ['reporting:read', 'refunds:read'],
  refund: ['refunds:read'],
  dispute: ['reporting:read'],
  transfer: ['transfers:read'],
  incoming_transfer: ['transfers:read'],
  payout_settings: ['reporting:read'],
  payout: ['reporting:read'],
  webhook_endpoint: ['webhooks:read'],
} as const satisfies Readonly<Record<EventResource, readonly [string, ...string[]]>>

export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]]

/** True when an endpoint's pattern takes events of this type: `*`, `payment.*` or the type itself. */
export const takes = (pattern: string, type: EventType): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** The types that none of these scopes lets read. */
export const unreadableTypes = (scopes: readonly string[]): EventType[] =>
  eventTypeNames.filter((type) => !eventScopes[resourceOf(type)].some((scope) => scopes.includes(scope)))

/** The first type that these patterns take and that none of these scopes lets read; undefined where there is none. */
export const unreadableType = (
  patterns: readonly string[],
  scopes: readonly string[],
): EventType | undefined =>
  unreadableTypes(scopes).find((type) => patterns.some((pattern) => takes(pattern, type)))
