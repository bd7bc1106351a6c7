import type { StoredCard } from '../kernel/stored-card.ts'
import type { CaptureMethod, ChargeBase, ProcessorState } from './port.ts'

/** A card that is presented to a device of the merchant's, until `expiresAt`. */
export interface PresentedCharge
  extends Pick<ChargeBase, 'reference' | 'amountMinor' | 'currency' | 'accountId'> {
  /** Our device. */
  readonly deviceId: string
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

/**
 * Cards that are presented to devices. What is handed over is asked about, captured and canceled by its reference like any
 * attempt: a cancellation wins only while no card was read.
 */
export interface InPersonRail {
  /** Hands a charge to a device. */
  present(charge: PresentedCharge): Promise<ProcessorState>
  /** Authorizes and captures a card that a device read while it had no network. Absent: it cannot be done. */
  readonly forward?: (charge: ForwardedCharge) => Promise<ProcessorState>
}
