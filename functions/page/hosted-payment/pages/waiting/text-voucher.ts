/** The words of a voucher’s page; a part of `text`. */
export const voucherEs = {
  networks: {
    oxxo: {
      title: 'Paga en OXXO',
      detail: (merchant: string) => `Tu pago a ${merchant} está listo para hacerse en cualquier OXXO.`,
      steps: [
        'En la caja, di que vas a hacer un pago de OXXO Pay.',
        'Muestra el código de barras o dicta la referencia.',
        'Paga en efectivo y guarda tu ticket.',
      ],
      fee: 'La tienda cobra su propia comisión, aparte de este importe.',
      told: 'OXXO nos avisa del pago a más tardar el siguiente día hábil. Esta página se actualiza sola.',
    },
  },
  until: (when: string) => `Paga a más tardar el ${when}`,
  barcode: 'Código de barras de la referencia',
  check: 'Consultar de nuevo',
  notAsked: 'La tienda no lo pide.',
  other: 'Pagar de otra forma',
  expired: {
    title: 'Esta ficha venció',
    detail: 'Ya no se puede pagar en la tienda.',
    paid: (when: string) =>
      `Si pagaste a tiempo, no pagues de nuevo: lo verás aquí a más tardar el ${when} (hora de la Ciudad de México).`,
  },
}

export const voucherEn: typeof voucherEs = {
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
}
