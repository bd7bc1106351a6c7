import { mailNotices, outgoingMails } from '../../../drizzle/schema/mails.ts'
import type { BuyerMailFields, NamedMailFields, NoticeFields } from '../../../src/generated/mail-kinds.ts'
import { insert } from '../../../src/kernel/plan.ts'
import type { OutgoingRow } from './plan.ts'

/** What a row holds, as the area declares it. */
type Texts<Field extends string> = Readonly<Record<Field, string>>

/** A mail to the owners of the workspace, or to its admins too, as a write of the publish that it tells of; `id` is that of its event. */
export const noticeToOwners = <Kind extends keyof NoticeFields>(
  id: string,
  kind: Kind,
  data: Texts<NoticeFields[Kind]>,
  now: Date,
) => insert(mailNotices, { id, kind, data, status: 'waiting', version: 1, createdAt: now, updatedAt: now })

interface BuyerMail<Kind extends keyof BuyerMailFields> {
  readonly id: string
  readonly kind: Kind
  readonly paymentId: string
  readonly data: Texts<BuyerMailFields[Kind]>
}

/**
 * A mail to the buyer of a payment, as a write of the publish that it tells of. The database looks up the address and
 * the language that the buyer gave, and writes nothing where there are none.
 */
export const mailToBuyer = <Kind extends keyof BuyerMailFields>(mail: BuyerMail<Kind>, now: Date) =>
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

interface Outgoing<Kind extends keyof NamedMailFields> {
  /** Of the mail: the provider sends one mail for it, however often it is handed over. */
  readonly id: string
  readonly kind: Kind
  /** The payment that it is about. */
  readonly paymentId?: string
  /** An address in the form of the interface's `email`. */
  readonly recipient: string
  readonly locale: OutgoingRow['locale']
  readonly data: Texts<NamedMailFields[Kind]>
}

/** A mail to a person who may have no account, as a write of the publish that it tells of: the last one, since it locks the recipient. */
export const mailTo = <Kind extends keyof NamedMailFields>(mail: Outgoing<Kind>, now: Date) =>
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
