import { mailNotices, outgoingMails } from '../../drizzle/schema/mails.ts'
import { change, insert, type Plan, type Row } from '../../src/kernel/plan.ts'

export type NoticeRow = Row<typeof mailNotices>

/** A mail to the owners of the workspace, as a write of the publish that it tells of; `id` is that of its event. */
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
}

/** Amounts in minor units, times as in the interface, `''` for what there is not. */
interface BuyerData {
  readonly payment_receipt: BuyerFacts & {
    readonly method: string
    readonly price: string
    readonly surcharge: string
    readonly received: string
    readonly at: string
  }
  readonly payment_instructions: PushFacts
  readonly payment_reminder: PushFacts
  readonly refund_made: Omit<BuyerFacts, 'description'> & { readonly amount: string; readonly at: string }
}

interface BuyerFacts {
  readonly reference: string
  readonly currency: string
  readonly description: string
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
  /** An address in the form of the interface's `email`. */
  readonly recipient: string
  readonly locale: OutgoingRow['locale']
  readonly data: OutgoingData[Kind]
}

/** A mail to a person who may have no account, as a write of the publish that it tells of: the last one, since it locks the recipient. */
export const mailTo = <Kind extends keyof OutgoingData>(mail: Outgoing<Kind>, now: Date) =>
  insert(outgoingMails, {
    ...mail,
    status: 'waiting',
    nextCheckAt: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })

export const planFinish = (mail: OutgoingRow, status: 'sent' | 'given_up', now: Date) =>
  ({
    writes: [
      change(outgoingMails, mail, { status, recipient: null, data: {}, nextCheckAt: null, updatedAt: now }),
    ],
    events: [],
    reply: null,
    subjectId: mail.id,
  }) satisfies Plan<unknown>
