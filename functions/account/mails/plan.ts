import { mailNotices, mailSuppressions, outgoingMails } from '../../../drizzle/schema/mails.ts'
import { change, insert, type Plan, type Row, refuse, type Write } from '../../../src/kernel/plan.ts'
import { presentSuppression } from './present.ts'
import type { SuppressionRow } from './store.ts'

export type NoticeRow = Row<typeof mailNotices>

/** A mail to the owners of the workspace, or to its admins too (notices.ts), as a write of the publish that it tells of; `id` is that of its event. */
export const noticeToOwners = (id: string, kind: NoticeRow['kind'], data: NoticeRow['data'], now: Date) =>
  insert(mailNotices, { id, kind, data, status: 'waiting', version: 1, createdAt: now, updatedAt: now })

export const planHandOver = (notice: NoticeRow, now: Date) =>
  ({
    writes: [change(mailNotices, notice, { status: 'handed_over', data: {}, updatedAt: now })],
    events: [],
    reply: null,
    subjectId: notice.id,
  }) satisfies Plan<unknown>

export type OutgoingRow = Row<typeof outgoingMails>

/** What each kind of mail to a named recipient says; words.ts has its words. */
interface OutgoingData {
  readonly workspace_invitation: {
    readonly role: string
    readonly inviter: string
    readonly expires_at: string
    /** Whose token its link has, and the version of AUTH_SECRETS that derives it. */
    readonly invitation: string
    readonly secret_version: string
  }
  readonly checkout_recovery: {
    /** The session's address, without a host. */
    readonly page: string
    readonly description: string
    readonly valid_until_at: string
  }
  /** Amounts in minor units; `discount` is negative, or 0. */
  readonly order_receipt: {
    /** The receipt's address, without a host. */
    readonly page: string
    readonly reference: string
    readonly currency: string
    readonly description: string
    readonly price: string
    readonly discount: string
    readonly total: string
    readonly at: string
  }
  readonly payment_receipt_copy: ReceiptFacts & {
    /** The address of the payment's page, without a host. */
    readonly page: string
  }
  readonly payment_link: {
    /** The link's address, without a host. */
    readonly page: string
    readonly description: string
    readonly currency: string
    /** `''` where the buyer chooses it. */
    readonly amount: string
    readonly message: string
  }
}

/** Amounts in minor units, times as in the interface, `''` for what there is not. */
interface BuyerData {
  readonly payment_receipt: ReceiptFacts
  readonly payment_receipt_copy: ReceiptFacts
  readonly payment_instructions: PushFacts
  readonly payment_reminder: PushFacts
  readonly refund_made: { readonly currency: string; readonly amount: string; readonly at: string }
}

interface BuyerFacts {
  readonly currency: string
  readonly description: string
}

interface ReceiptFacts extends BuyerFacts {
  readonly method: string
  readonly price: string
  readonly surcharge: string
  readonly received: string
  readonly at: string
}

interface PushFacts extends BuyerFacts {
  readonly method: string
  /** What is left to pay. */
  readonly amount: string
  /** Of the voucher, or the CLABE with its bank and account holder. */
  readonly number: string
  readonly bank: string
  readonly holder: string
  readonly expires_at: string
}

interface BuyerMail<Kind extends keyof BuyerData> {
  readonly id: string
  readonly kind: Kind
  readonly paymentId: string
  readonly data: BuyerData[Kind]
}

/**
 * A mail to the buyer of a payment, as a write of the publish that it tells of. The database looks up the address and
 * the language that the buyer gave, and writes nothing where there are none.
 */
export const mailToBuyer = <Kind extends keyof BuyerData>(mail: BuyerMail<Kind>, now: Date) =>
  insert(outgoingMails, {
    ...mail,
    locale: 'es-MX',
    recipient: null,
    data: { ...mail.data },
    status: 'waiting',
    nextCheckAt: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })

interface Outgoing<Kind extends keyof OutgoingData> {
  /** Of the mail: the provider sends one mail for it, however often it is handed over. */
  readonly id: string
  readonly kind: Kind
  /** The payment that it is about. */
  readonly paymentId?: string
  /** An address in the form of the interface's `email`. */
  readonly recipient: string
  readonly locale: OutgoingRow['locale']
  readonly data: OutgoingData[Kind]
}

/** A mail to a person who may have no account, as a write of the publish that it tells of: the last one, since it locks the recipient. */
export const mailTo = <Kind extends keyof OutgoingData>(mail: Outgoing<Kind>, now: Date) =>
  insert(outgoingMails, {
    ...mail,
    paymentId: mail.paymentId ?? null,
    data: { ...mail.data },
    status: 'waiting',
    nextCheckAt: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })

/** How a mail ended. */
export type End = Pick<OutgoingRow, 'status'> & Partial<Pick<OutgoingRow, 'suppressedFor' | 'droppedFor'>>

export const planFinish = (
  over: readonly (readonly [OutgoingRow, End])[],
  now: Date,
  confirmed: readonly Write[] = [],
) =>
  ({
    writes: [
      ...confirmed,
      ...over.map(([mail, end]) =>
        change(outgoingMails, mail, { ...end, recipient: null, data: {}, nextCheckAt: null, updatedAt: now }),
      ),
    ],
    events: [],
    reply: null,
  }) satisfies Plan<unknown>

/** A mail that its reader may end. */
export const isReminder = (kind: OutgoingRow['kind']) =>
  kind === 'payment_reminder' || kind === 'checkout_recovery'

/** Why a mail of this kind is not sent to a recipient with these suppressions; null where it is. */
export const stopOf = (kind: OutgoingRow['kind'], reasons: readonly SuppressionRow['reason'][]) =>
  reasons.find((reason) => reason !== 'unsubscribed' || isReminder(kind)) ?? null

export function planLift(suppression: SuppressionRow, now: Date) {
  if (suppression.status !== 'active' || suppression.reason !== 'hard_bounce')
    return refuse('mail_suppression_stays')
  const set = { status: 'lifted', updatedAt: now } as const
  return {
    writes: [change(mailSuppressions, suppression, set)],
    events: [],
    reply: presentSuppression({ ...suppression, ...set }),
    subjectId: suppression.id,
  } satisfies Plan<unknown>
}
