/** Of a payment's page, for its contract. */
export const receiptUrlIs =
  'The page with its receipt, for the buyer, in the reply of one payment that is paid; null in lists, in events and before.'
export const exampleReceiptUrl =
  'https://pay.spindle.example/splink_0123456789abcdefghijklmnopqrstuv/spcs_0123456789abcdefghijklmnopqrstuv'
