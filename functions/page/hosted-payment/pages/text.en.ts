import type { Text } from './text.es.ts'

export const en: Text = {
  layout: {
    skip: 'Skip to content',
    testMode: 'Test mode',
    testModeDetail: 'No real card works here and no money moves.',
    switchLanguage: 'Español',
    poweredBy: 'Payments by Spindle',
  },
  common: {
    description: 'For',
    amount: 'Amount',
    total: 'Total',
    card: 'Card',
    reference: 'Payment number',
    merchant: 'Merchant',
    date: 'Date',
    cardEnding: (brand, last4) => `${brand} ending in ${last4}`,
    mexicoCity: 'Mexico City time',
    sending: 'Sending…',
    tryAgain: 'Try again',
    notCharged: 'Nothing was charged.',
  },
  pay: {
    title: (merchant) => `Pay ${merchant}`,
    payTo: 'Pay',
    expires: (when) => `You can pay until ${when}`,
    backTo: (merchant) => `Back to ${merchant}`,
    renewed: (merchant, amount) => `${merchant} changed this just now. It costs ${amount}.`,
    installments: (months) => `You can pay in ${months} monthly installments with participating cards.`,
    interestFree: (months) =>
      `You can pay in ${months} interest-free monthly installments with participating cards.`,
    installmentsOnly: (months) => `It is paid in ${months} monthly installments, with a participating card.`,
    interestFreeOnly: (months) =>
      `It is paid in ${months} interest-free monthly installments, with a participating card.`,
    surcharge: (amount, total) => `Installments have a surcharge of ${amount}: ${total} in total.`,
    price: (amount) => `Price ${amount}. Installments add a surcharge.`,
    composed: (price, surcharge) => `Price ${price}, plus a surcharge of ${surcharge} for installments.`,
    chooseAmount: {
      label: (currency) => `Amount (${currency})`,
      bounds: (least, most) => `From ${least} to ${most}.`,
      other: 'Change the amount',
      errors: {
        not_an_amount: 'Enter an amount, like 250 or 250.50.',
        out_of_bounds: 'Choose an amount within the limits.',
      },
    },
    methods: 'Payment method',
    methodNames: { card: 'Card', oxxo: 'OXXO', spei: 'SPEI' },
    push: {
      oxxo: {
        heading: 'Pay in cash at OXXO',
        detail:
          'You get a voucher with a barcode to pay at the till of any OXXO store. The store charges its own fee on top of this amount.',
        get: (amount) => `Get a voucher for ${amount}`,
      },
      spei: {
        heading: 'Pay by SPEI transfer',
        detail: 'You get a CLABE to which you transfer the amount from your bank.',
        get: (amount) => `Get a CLABE for ${amount}`,
      },
    },
    buyerName: 'Full name',
    buyerNameFor: 'Full name (not needed for a card)',
    buyerEmail: 'E-mail address',
    buyerEmailFor: 'E-mail address (optional for a card)',
    buyerPrivacy:
      'We give your name and address to the company that processes the payment. This browser remembers them for half an hour.',
    mails: {
      label: 'E-mail for your receipt (optional)',
      all: 'We send the instructions for paying and your receipt there.',
    },
    pending: {
      oxxo: {
        detail:
          'There is an OXXO voucher for this payment. Paying in another way cancels it first. If you have paid it already, do not pay again.',
        show: 'Show the voucher',
      },
      spei: {
        detail:
          'There is a CLABE for this payment. Paying in another way cancels it first. If you have sent the transfer already, do not pay again.',
        show: 'Show the CLABE',
      },
      under_way: {
        detail:
          'You started a payment with this link and it is not finished. Paying here is another payment.',
        show: 'Show that payment',
      },
      paid: {
        detail: 'You have paid with this link. Paying here is another payment.',
        show: 'Show your receipt',
      },
    },
    pendingReceived: (amount) =>
      `${amount} has arrived on that CLABE: if you pay in another way, it does not count towards this payment and the merchant can send it back.`,
    heading: 'Card details',
    number: 'Card number',
    expiry: 'Expiry date',
    expiryHint: 'MM/YY',
    securityCode: 'CVC',
    securityCodeHint: '3 or 4 digits',
    name: 'Name on card',
    pay: (amount) => `Pay ${amount}`,
    continue: 'Continue',
    neverLeaves: 'This is a test page: no card number is sent and nothing is charged.',
    stripe: {
      needsScript: 'Paying by card needs JavaScript: the card number goes straight to Stripe, never to us.',
      loading: 'Loading the card form…',
      unreachable: 'The card form cannot be reached. Check your connection and try again.',
      byStripe: 'Stripe processes the card. The card number never reaches us.',
    },
    testCard: 'Test card',
    chooseTestCard: 'Choose a card',
    testCards: 'Test cards',
    testCardsDetail: 'Each one ends differently.',
    use: 'Use',
    useCard: (label) => `Use the test card: ${label}`,
    used: (label) => `Test card ready: ${label}`,
    missing: {
      number: 'Enter the card number.',
      expiry: 'Enter month and year, like 08/29.',
      securityCode: 'Enter the 3 or 4 digits.',
      name: 'Enter the name as it appears on the card.',
    },
    past: 'This date has passed.',
    notATestCard: 'This is not a test card. No real card works here.',
    mend: 'Check these fields:',
    wrong: {
      name: 'Enter your full name, with your surname.',
      email: 'Enter a valid e-mail address, like name@example.com.',
      receipt_email: 'Enter a valid e-mail address, like name@example.com, or leave the field empty.',
    },
    errors: {
      card_required: 'Choose a test card to continue.',
      card_unknown: 'We did not recognize that card. Choose another one.',
      card_without_plan: 'That card does not take part in the installments of this payment. Use another one.',
      held_unpaid: 'What may be held without paying is taken: pay by card, or try again later.',
      quote_expired: 'This page was open for a long time. Check the amount and try again.',
    },
  },
  review: {
    title: 'Review and pay',
    change: 'Change card',
    terms: 'In how many payments?',
    onlyTerm: 'How it is paid',
    single: 'One payment',
    installments: (months, monthly) => `${months} months of ${monthly}`,
    interestFree: 'interest-free',
    first: (amount) => `First payment ${amount}`,
    surcharge: (amount) => `Installment surcharge ${amount}`,
    total: (amount) => `Total ${amount}`,
    eachTotal: 'You are charged the total of the option that you choose.',
    noOffers: {
      terms_unknown: 'We cannot see now whether this card has installment plans. Pay at once, or try later.',
      card_not_eligible: 'This card has no installment plans. It will be charged in one payment.',
      amount_too_low: 'The amount is below the minimum for installments. It will be charged in one payment.',
    },
    errors: { term_unavailable: 'That plan is no longer available. Choose another one.' },
  },
  result: {
    succeeded: {
      title: 'Payment approved',
      detail: (merchant) => `Your payment to ${merchant} is complete.`,
    },
    requires_capture: {
      title: 'Payment authorized',
      detail: (merchant) =>
        `Your bank holds the amount for ${merchant}, which charges it when it confirms your order. There is nothing more for you to do.`,
      until: (when) =>
        `If it is not charged by ${when} (Mexico City time), the bank releases it and you pay nothing.`,
    },
    partially_captured: {
      title: 'Payment approved',
      detail: (merchant) => `${merchant} charged a part of what you authorized. Your bank releases the rest.`,
      charged: 'Charged',
      authorized: 'Authorized',
      surcharge: (amount) => `includes a surcharge of ${amount} for installments`,
    },
    refund: 'Refund',
    refunded: (merchant) => `${merchant} sent you a refund. Your bank may take a few days to show it.`,
    print: 'Print or save',
    testReceipt: 'Test receipt: no money moved.',
    price: 'Price',
    surcharge: 'Installment surcharge',
    installments: 'Plan',
    installmentsOf: (months, monthly) => `${months} months of ${monthly}`,
    firstPayment: 'First payment',
    interestFree: 'interest-free',
    declined: {
      titles: {
        card: 'The payment was not approved',
        oxxo: 'Your voucher could not be made',
        spei: 'Your CLABE could not be made',
      },
    },
    refused: {
      oxxo: 'We were not given an OXXO voucher for this payment. Try again or pay in another way.',
      spei: 'We were not given a CLABE for this payment. Try again or pay in another way.',
    },
    numbers: { oxxo: 'OXXO reference', spei: 'Tracking key' },
    reasons: {
      insufficient_funds: 'The card does not have enough funds. Try another card.',
      card_declined: 'The bank declined the card. Try another one or talk to your bank.',
      expired_card: 'The card has expired. Try another card.',
      suspected_fraud: 'The bank stopped the payment for security. Talk to your bank or use another card.',
      authentication_failed: 'The payment was not confirmed with your bank. Try again or use another card.',
      processing_error: 'There was a problem processing the payment. Try again in a few minutes.',
    },
    processing: {
      titles: {
        card: 'We are confirming with your bank',
        oxxo: 'We are preparing your voucher',
        spei: 'We are preparing your CLABE',
      },
      detail: 'This usually takes a few seconds. The page updates by itself.',
      keep: {
        card: 'You can close this page; the payment continues. Do not pay again.',
        oxxo: 'You have not paid anything yet. If you close this page, open the link again to see your voucher.',
        spei: 'You have not paid anything yet. If you close this page, open the link again to see your CLABE.',
      },
      check: 'Check again',
    },
    under_review: {
      title: 'We are reviewing your payment',
      detail:
        'The answer we got does not match the amount, and a person will look into it. Do not pay again.',
      keep: 'Keep the payment ID in case you need to talk to the merchant.',
    },
    requires_action: {
      title: 'Your bank is waiting for you to confirm',
      detail: (merchant) =>
        `You started to pay ${merchant}. Approve the payment on your bank’s page; you come back here afterwards.`,
      until: (when) => `You have until ${when} (Mexico City time).`,
      continue: 'Continue to my bank',
      other: 'Pay in another way',
      otherDetail: 'If you pay in another way, this attempt is canceled first: nothing is charged twice.',
      over: {
        title: 'The time to confirm is over',
        detail:
          'Your bank no longer waits for your answer. If you approved the payment, you will see it here in a moment.',
      },
      notClosed:
        'We could not confirm that this attempt was canceled, so it is still open. Try again in a moment.',
    },
    canceled: { title: 'Payment canceled', detail: 'The payment was canceled before it was completed.' },
    expired: { title: 'The payment expired', detail: 'The payment was not completed in time.' },
    released: {
      title: 'The amount was not charged',
      time: (merchant) =>
        `${merchant} did not charge in time what your bank had held. Your bank releases it and may take a few days to show it.`,
      merchant: (merchant) =>
        `${merchant} canceled the payment without charging what your bank had held. Your bank releases it and may take a few days to show it.`,
    },
    reversed: {
      title: 'The payment was undone',
      voided: (merchant) =>
        `The amounts did not match and ${merchant} was not paid. Your bank releases what it had held and may take a few days to show it.`,
      refunded: (merchant) =>
        `The amounts did not match and ${merchant} was not paid. What was charged was sent back to you; your bank may take a few days to show it.`,
      settled_elsewhere: (merchant) =>
        `The amounts did not match and ${merchant} settled it with its own means. If you have questions, show them this payment ID.`,
    },
    closed: 'This link no longer takes payments.',
    mayHavePaid: {
      oxxo: (merchant) =>
        `If you paid this voucher at the store, do not pay again: show ${merchant} your receipt and this payment ID.`,
      spei: (merchant) =>
        `If you sent a transfer to the CLABE of this payment, ${merchant} can send it back: show them your receipt and this payment ID.`,
    },
  },
  unapplied: {
    over: (amount) => `We received ${amount} too much.`,
    apart: (amount) => `We received ${amount} that is not part of this payment.`,
    held: (amount, merchant) =>
      `${amount} is kept as unapplied funds. ${merchant} can send it back: show them your receipt and this payment ID.`,
    spent: (amount, merchant) =>
      `${merchant} has asked for ${amount} to be sent back, or used it for another payment.`,
    overRow: 'Received too much',
    apartRow: 'Not applied',
  },
  voucher: {
    networks: {
      oxxo: {
        title: 'Pay at OXXO',
        detail: (merchant) => `Your payment to ${merchant} can be made at any OXXO store.`,
        steps: [
          'At the till, say that you are making an OXXO Pay payment.',
          'Show the barcode or read out the reference.',
          'Pay in cash and keep the receipt.',
        ],
        fee: 'The store charges its own fee on top of this amount.',
        told: 'OXXO tells us of the payment by the next business day. This page updates by itself.',
      },
    },
    until: (when) => `Pay by ${when}`,
    barcode: 'Barcode of the reference',
    check: 'Check again',
    notAsked: 'The store does not ask for it.',
    other: 'Pay in another way',
    expired: {
      title: 'This voucher has expired',
      detail: 'It can no longer be paid at the store.',
      paid: (when) =>
        `If you paid in time, do not pay again: you will see it here by ${when} (Mexico City time).`,
    },
  },
  spei: {
    title: 'Pay by SPEI',
    detail: (merchant) => `Transfer exactly this amount to the CLABE of your payment to ${merchant}.`,
    rest: 'Transfer what is missing to the same CLABE.',
    partly: (received) => `We received ${received}. Still missing:`,
    until: (when) => `Transfer by ${when}`,
    copy: 'Copy the CLABE',
    copied: 'CLABE copied',
    copyAmount: 'Copy the amount',
    amountCopied: 'Amount copied',
    notAsked: 'Your bank does not ask for it: do not enter it in the transfer.',
    beneficiary: 'Beneficiary',
    bank: 'Bank',
    received: 'Received',
    missing: 'Missing',
    steps: [
      'In your bank’s app, add the CLABE as a new account.',
      'Transfer the exact amount, cents included.',
      'Keep the receipt with its tracking key (clave de rastreo).',
    ],
    parts:
      'If your bank does not let you send all of it at once, make several transfers to the same CLABE. The CLABE is for this payment only.',
    told: 'Banks tell us within seconds or minutes. This page updates by itself.',
    expired: {
      title: 'The time to transfer is over',
      detail: 'Do not transfer to this CLABE any more.',
      paid: (when) =>
        `If you transferred in time, do not pay again: you will see it here by ${when} (Mexico City time).`,
      received: (received, merchant) =>
        `We received ${received}, which does not complete the payment. If the rest does not arrive, it is kept as unapplied funds and ${merchant} can send it back.`,
    },
  },
  state: {
    not_set_up: {
      title: 'Payments are not available here yet',
      detail: (merchant) => `${merchant} cannot take card payments yet.`,
    },
    no_payments: {
      title: 'You cannot pay here',
      detail: (merchant) => `${merchant} cannot take payments here. Ask them how else you can pay.`,
    },
    busy: {
      own: 'If that is you, do not pay again: go back to the page where you began.',
    },
    changed: {
      was: (before, now) => `Before: ${before}. Now: ${now}.`,
      none: 'none',
      months: (months) => `${months} months`,
      what: {
        amount: 'Amount',
        methods: 'Ways to pay',
        installments: 'Monthly installments',
        surcharge: 'Installment surcharge',
        capture: 'When it is charged',
      },
      capture: { automatic: 'when you pay', manual: 'the merchant holds the amount and charges it later' },
    },
    not_found: {
      title: 'We could not find this page',
      detail: 'Check that the address is complete, just as you received it.',
    },
    bad_request: {
      title: 'We could not read the form',
      detail: 'Open the link again and retry.',
    },
    foreign_form: {
      title: 'This form was not sent from our page',
      detail: 'Another site sent it, so we did nothing with it. Open the link and go on from there.',
    },
    wrong_method: {
      title: 'There is nothing to send here',
      detail: 'Go back to the page before and try from there.',
    },
    too_many_requests: {
      title: 'Too many attempts',
      detail: (seconds) => `Wait ${seconds === 1 ? 'one second' : `${seconds} seconds`} and try again.`,
    },
    error: {
      title: 'Something went wrong on our side',
      detail: 'Try again in a moment.',
      resend:
        'We do not know if your payment went through. Retry from here: the same payment is never charged twice.',
      request: 'Request identifier',
    },
    refused: 'Nothing was charged by this attempt.',
    openLink: 'Open the link',
    reviewAgain: 'Review and pay',
  },
}
