import { type Mutant, property, stack } from './mutant.ts'

export const intelligence: readonly Mutant[] = [
  property(
    'a forecast knows nothing of what comes after it',
    'functions/insight/intelligence/forecast.ts',
    'for (let week = Math.ceil(ahead / 7);',
    'for (let week = 0;',
    ['forecast.test.ts'],
  ),
  property(
    'a likely amount leaves out what is certain',
    'functions/insight/intelligence/forecast.ts',
    'this.all(like) - this.known(like, addDays(like, -ahead))',
    'this.all(like)',
    ['forecast.test.ts'],
  ),
  property(
    'few payments have no rate',
    'functions/insight/intelligence/rates.ts',
    'decided < rateCountMin ? null :',
    '',
    ['forecast.test.ts'],
  ),
  stack(
    'what is unknown is in no rate',
    'functions/insight/intelligence/store.ts',
    'not "unknown" and not "open" and "declined"`',
    'not "open" and ("declined" or "unknown")`',
    ['integration/intelligence/reports.test.ts', 'counts payments'],
  ),
  stack(
    'a payment declined twice for one reason is one',
    'functions/insight/intelligence/store.ts',
    '.groupBy(payments.id, paymentAttempts.declineCode, paymentAttempts.declineCategory)',
    '.groupBy(paymentAttempts.id, paymentAttempts.declineCode, paymentAttempts.declineCategory)',
    ['integration/intelligence/reports.test.ts', 'declines say why'],
  ),
  stack(
    'a voucher that waits is in no rate',
    'functions/insight/intelligence/store.ts',
    `in ('canceled', 'expired', 'requires_payment_method')`,
    `in ('canceled', 'expired', 'requires_payment_method', 'requires_action')`,
    ['integration/intelligence/reports.test.ts', 'a voucher that waits'],
  ),
]
