/** The words of the page of a CLABE; a part of `text`. */
export const speiEs = {
  title: 'Paga por SPEI',
  detail: (merchant: string) => `Transfiere exactamente este importe a la CLABE de tu pago a ${merchant}.`,
  rest: 'Transfiere lo que falta a la misma CLABE.',
  partly: (received: string) => `Recibimos ${received}. Falta:`,
  until: (when: string) => `Transfiere a más tardar el ${when}`,
  copy: 'Copiar la CLABE',
  copied: 'CLABE copiada',
  copyAmount: 'Copiar el importe',
  amountCopied: 'Importe copiado',
  notAsked: 'Tu banco no lo pide: no lo escribas en la transferencia.',
  beneficiary: 'Beneficiario',
  bank: 'Banco',
  received: 'Recibido',
  missing: 'Falta',
  steps: [
    'En la app de tu banco, da de alta la CLABE como cuenta nueva.',
    'Transfiere el importe exacto, con centavos.',
    'Guarda el comprobante con la clave de rastreo.',
  ],
  parts:
    'Si tu banco no te deja enviar todo de una vez, haz varias transferencias a la misma CLABE. La CLABE sirve solo para este pago.',
  told: 'Los bancos nos avisan en segundos o minutos. Esta página se actualiza sola.',
  expired: {
    title: 'El tiempo para transferir terminó',
    detail: 'Ya no transfieras a esta CLABE.',
    paid: (when: string) =>
      `Si transferiste a tiempo, no pagues de nuevo: lo verás aquí a más tardar el ${when} (hora de la Ciudad de México).`,
    received: (received: string, merchant: string) =>
      `Recibimos ${received}, que no completan el pago. Si no llega el resto, quedan guardados como fondos sin aplicar y ${merchant} puede devolverlos.`,
  },
}

export const speiEn: typeof speiEs = {
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
}
