import type { accountMailKinds, outgoingMailKinds } from '../generated/mail-kinds.ts'
import { formatMoney } from './format.ts'
import type { Locale } from './locale.ts'

/** What a mail says below its greeting. Every text is plain: it is written as text and as HTML. */
export interface MailWords {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** What it names, in order; what is empty is left out. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** The label of the button that leads to its link. */
  readonly button?: string
  /** The label of the link that ends mails of this kind. */
  readonly ending?: string
  /** What to do when the reader did not expect it. */
  readonly closing: string
}

/**
 * What the sender adds to the data of a row where it knows it: the workspace and the environment of a mail to owners, the
 * merchant and the number of the payment of a mail to a buyer, and of a receipt the lines, the IVA and the card.
 */
export const addedFields = [
  'workspace',
  'environment',
  'merchant',
  'reference',
  'rows',
  'taxes',
  'brand',
  'last4',
] as const

export type MailData<Field extends string> = Readonly<Record<Field | (typeof addedFields)[number], string>>

/** A method, so that a mail with fields of its own is one of any fields. */
type Words<Field extends string> = { in(data: MailData<Field>): MailWords }['in']

interface Told<Field extends string> {
  /**
   * The fields of its row, all texts: times as in the interface, which are shown as times where they are named `at` or
   * `…_at`; amounts in minor units; `''` for what there is not.
   */
  readonly data: readonly Field[]
  readonly words: Readonly<Record<Locale, Words<Field>>>
}

/** To an account, written by the database of accounts. */
interface ToAccount {
  readonly to: 'account'
  /** The page of accounts that its link opens. */
  readonly opens?: string
  /**
   * Sent to a suppressed address too: `asked`, since its reader has just asked for it, or after a complaint still: `safety`,
   * since another person may act in the reader's name.
   */
  readonly insists?: 'asked' | 'safety'
}

/** To the owners of a workspace, or to its admins too: `noticeToOwners`. */
interface ToOwners {
  readonly to: 'owners' | 'admins'
  readonly insists?: 'safety'
}

/** What mails to persons without an account are counted by: none spends what another may. */
interface Counted {
  /** `money` moved, an `invitation`, `sent` by a merchant, a `form` that any person fills in, or a `report` to a member. */
  readonly cause: 'money' | 'invitation' | 'sent' | 'form' | 'report'
}

/** To a person whom the plan names: `mailTo`. */
interface ToPerson extends Counted {
  readonly to: 'person'
  /** The page of accounts that its link opens, with a token of `link_id` under the `secret_version` of its data. */
  readonly opens?: string
}

/** To a buyer, in the merchant's look. Its link leads to the page of what is paid. */
interface ToBuyer extends Counted {
  readonly to: 'buyer'
  /**
   * `of_payment`: the one that the buyer gave with the payment (`mailToBuyer`); `named` by the plan, with the `page` that its
   * link leads to (`mailTo`); or `either`.
   */
  readonly address: 'of_payment' | 'named' | 'either'
  /** What its link opens below the page, with a token. */
  readonly opens?: string
  /** Nothing that its reader did just now causes it: its reader may end mails of such kinds. */
  readonly isReminder?: true
  /** Its buyer is reminded a day before the `expires_at` of its data. */
  readonly isReminded?: true
  /** The run that sends it reads the lines, the IVA and the card of its payment. */
  readonly isReceipt?: true
}

/** A kind of mail, as the area that sends it declares it. */
export type DeclaredMail<Field extends string = string> = Told<Field> &
  (ToAccount | ToOwners | ToPerson | ToBuyer)

/** The same, with words that may name its own fields only. */
export const mail = <const Field extends string>(declared: DeclaredMail<Field>) => declared

type MailKind = (typeof accountMailKinds)[number] | (typeof outgoingMailKinds)[number]

/** Every mail that an area declares, by its kind. */
export type Mails = Readonly<Record<MailKind, DeclaredMail>>

/** What loads them: a run needs their words only once it has a mail to send. */
export type LoadMails = () => Promise<{ readonly mails: Mails }>

/** An amount in the reader's language; anything else stays as it came. */
export const money = (amountMinor: string, currency: string, locale: Locale): string =>
  /^-?\d{1,18}$/.test(amountMinor) && /^[a-z]{3}$/.test(currency)
    ? formatMoney(BigInt(amountMinor), currency, locale)
    : amountMinor
