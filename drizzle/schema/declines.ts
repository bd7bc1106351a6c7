export const declineCodes = [
  'insufficient_funds',
  'card_declined',
  'expired_card',
  'suspected_fraud',
  'authentication_failed',
  'processing_error',
  'blocked',
] as const

/** Why a device did not take what it was handed: it asked no bank. */
export const deviceFailures = [
  'reader_offline',
  'reader_busy',
  'reader_not_registered',
  'reader_failed',
] as const

/** Whether trying again may help: `soft` later, `hard` never with this card, `fraud` do not, `auth` with a new challenge. */
export const declineCategories = ['soft', 'hard', 'fraud', 'auth'] as const
