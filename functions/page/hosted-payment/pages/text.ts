import type { Locale } from '../../../../src/kernel/locale.ts'
import { commonEn, commonEs, layoutEn, layoutEs } from './frame/text-frame.ts'
import { payEn, payEs } from './pay/text-pay.ts'
import { personEn, personEs } from './pay/text-person.ts'
import { reviewEn, reviewEs } from './pay/text-review.ts'
import { rowsEn, rowsEs } from './pay/text-rows.ts'
import { receiptEn, receiptEs } from './result/text-receipt.ts'
import { resultEn, resultEs } from './result/text-result.ts'
import { unappliedEn, unappliedEs } from './result/text-unapplied.ts'
import { stateEn, stateEs } from './state/text-state.ts'
import { awaitingEn, awaitingEs } from './waiting/text-awaiting.ts'
import { speiEn, speiEs } from './waiting/text-spei.ts'
import { voucherEn, voucherEs } from './waiting/text-voucher.ts'

const spanish = {
  layout: layoutEs,
  common: commonEs,
  pay: payEs,
  review: reviewEs,
  person: personEs,
  result: resultEs,
  unapplied: unappliedEs,
  voucher: voucherEs,
  spei: speiEs,
  state: stateEs,
  rows: rowsEs,
  awaiting: awaitingEs,
  receipt: receiptEs,
}

export type Text = typeof spanish

/** Every word a buyer reads. */
export const text: Readonly<Record<Locale, Text>> = {
  'es-MX': spanish,
  en: {
    layout: layoutEn,
    common: commonEn,
    pay: payEn,
    review: reviewEn,
    person: personEn,
    result: resultEn,
    unapplied: unappliedEn,
    voucher: voucherEn,
    spei: speiEn,
    state: stateEn,
    rows: rowsEn,
    awaiting: awaitingEn,
    receipt: receiptEn,
  },
}
