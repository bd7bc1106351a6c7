import type { Cart, Input } from '../../drizzle/schema/in-person.ts'
import type { Address } from '../../drizzle/schema/locations.ts'
import type { StoredCard } from '../kernel/stored-card.ts'
import type { CaptureMethod, ChargeBase, ChargeRefs, DeviceFailure, ProcessorState } from './port.ts'

/** A card that is presented to a device of the merchant's, until `expiresAt`. */
export interface PresentedCharge
  extends Pick<ChargeBase, 'reference' | 'amountMinor' | 'currency' | 'accountId'> {
  /** Our device. */
  readonly deviceId: string
  /** The processor's own id of a reader; null where it has none, and of a phone, which fetches what it charges with. */
  readonly readerRef: string | null
  /** 1: paid at once. A term is chosen before the card is read. */
  readonly installmentMonths: number
  /** `manual`: only authorized; the money is taken by `capture`. */
  readonly capture: CaptureMethod
  readonly expiresAt: Date
}

/** What a device took while it had no network, at the merchant's risk. */
export interface ForwardedCharge
  extends Pick<ChargeBase, 'reference' | 'amountMinor' | 'currency' | 'accountId'> {
  readonly card: StoredCard
}

/** Where a device stands. */
export interface DevicePlace {
  /** Our location, as it is now. */
  readonly id: string
  readonly version: number
  readonly name: string
  readonly address: Address | null
  /** The processor's own id of it at this account; null: not known yet. */
  readonly placeRef: string | null
}

/** A reader that runs the processor's own program. */
export interface ReaderOrder {
  /** Our device and how often it was paired. Sent twice with one code, it is one registration. */
  readonly reference: string
  /** What its screen shows, good once. Sent to the processor, stored nowhere. */
  readonly code: string
  readonly name: string
  readonly place: DevicePlace
  /** The account that takes what the reader takes: a merchant's own; null: the environment's. */
  readonly accountId: string | null
}

export interface RegisteredReader {
  readonly state: 'registered'
  readonly readerRef: string
  readonly placeRef: string
  readonly model: string
  readonly serialNumber: string
  readonly softwareVersion: string | null
}

/**
 * `place_unfit`: the processor takes no reader there, or lacks a part of its address. `code_refused`: the code is none, was
 * used or is of another reader. `refused`: the account or its key may not have readers. None of them has registered anything.
 * `unknown`: no answer.
 */
export type RegistrationFailure = {
  readonly state: 'place_unfit' | 'code_refused' | 'refused' | 'unknown'
}

/** A phone that the processor's program on it shall connect, at its place. */
export interface ConnectionOrder extends Pick<ReaderOrder, 'place' | 'accountId'> {
  /** Our connection token. Sent twice, it is one connection. */
  readonly reference: string
}

export interface PhoneConnection {
  readonly state: 'connected'
  /** What the processor's program connects with, once. Handed on, stored nowhere. */
  readonly secret: string
  readonly placeRef: string
}

/** What a reader that its processor drives shows, until it is asked something else. */
export interface ReaderScreen {
  /** Our action. Sent twice, it is one. */
  readonly reference: string
  readonly readerRef: string
  /** Null: the screen is cleared. */
  readonly cart: Cart | null
  /** The account that the reader is registered at; null: the environment's. */
  readonly accountId: string | null
}

/** `shown`: the reader has it on its screen. `unknown`: no answer. */
export type ScreenState =
  | { readonly state: 'shown' }
  | { readonly state: 'failed'; readonly deviceFailure: DeviceFailure }
  | { readonly state: 'unknown' }

/** What a buyer is asked at a reader that its processor drives. */
export interface AskedQuestion {
  /** Our action. */
  readonly reference: string
  readonly readerRef: string
  /** The account that the reader is registered at; null: the environment's. */
  readonly accountId: string | null
}

/** Sent twice, it is one. */
export interface ReaderQuestion extends AskedQuestion {
  readonly inputs: readonly Input[]
}

/**
 * `asked`: it is on the screen. `answered`: of each input what was given, the id of a choice or what was typed; null: it was
 * skipped. `unknown`: no answer, or the reader works on something else.
 */
export type QuestionState =
  | { readonly state: 'asked' }
  | { readonly state: 'answered'; readonly answers: readonly (string | null)[] }
  | Exclude<ScreenState, { readonly state: 'shown' }>

/**
 * Cards that are presented to devices. What is handed over is asked about, captured and canceled by its reference like any
 * attempt: a cancellation wins only while no card was read.
 */
export interface InPersonRail {
  /** Whether a term may be chosen before the card is read; else a card at a device pays at once. */
  readonly hasTerms: boolean
  /** Whether it takes cards at readers that it has registered alone. */
  readonly needsRegistration: boolean
  /** Hands a charge to a device. */
  present(charge: PresentedCharge): Promise<ProcessorState>
  /** Authorizes and captures a card that a device read while it had no network. Absent: it cannot be done. */
  readonly forward?: (charge: ForwardedCharge) => Promise<ProcessorState>
  register(order: ReaderOrder): Promise<RegisteredReader | RegistrationFailure>
  /** Absent where it drives no readers: those ask us what they shall show. */
  readonly show?: (screen: ReaderScreen) => Promise<ScreenState>
  /** Absent, as the next two, where a reader asks nothing by itself. */
  readonly ask?: (question: ReaderQuestion) => Promise<QuestionState>
  readonly answerTo?: (asked: AskedQuestion) => Promise<QuestionState>
  /** Takes it off the screen, as long as it is there. Never throws. */
  readonly withdraw?: (asked: AskedQuestion) => Promise<void>
  /** Absent where a phone takes cards without a program of the processor's. */
  readonly connect?: (order: ConnectionOrder) => Promise<PhoneConnection | RegistrationFailure>
  /** What a phone charges a card with that waits for one; null: it waits for none. Throws without an answer. */
  readonly secretOf?: (reference: string, known: ChargeRefs) => Promise<string | null>
  /** Our attempt behind what a device was handed, by the processor's reference; null: none of ours. Throws without an answer. */
  readonly attemptBehind?: (presentedRef: string) => Promise<string | null>
}
