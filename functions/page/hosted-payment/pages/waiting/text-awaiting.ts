/** The words of a voucher's and a CLABE's page beside their own; a part of `text`. */
export const awaitingEs = {
  copyNumber: 'Copiar referencia',
  numberCopied: 'Referencia copiada',
  share: 'Compartir',
  shared: 'Enlace copiado',
  shareText: (amount: string, merchant: string) => `Pago de ${amount} a ${merchant}`,
  save: 'Guardar imagen',
  print: 'Imprimir',
  tools: 'Guardar o compartir',
  mailed: 'También te lo enviamos por correo. Si no te llega, guarda esta página.',
  phone: 'Sigue en tu teléfono',
  phoneDetail: 'Escanea este código con la cámara para abrir esta página en tu teléfono.',
  phoneCode: 'Código QR de la dirección de esta página',
  concept: 'Concepto para tu banco',
  conceptDetail:
    'Es lo que puedes escribir si tu banco pide un concepto. La referencia numérica puede ser la que quieras.',
  copyConcept: 'Copiar el concepto',
  conceptCopied: 'Concepto copiado',
}

export type AwaitingWords = typeof awaitingEs

export const awaitingEn: AwaitingWords = {
  copyNumber: 'Copy reference',
  numberCopied: 'Reference copied',
  share: 'Share',
  shared: 'Link copied',
  shareText: (amount, merchant) => `Payment of ${amount} to ${merchant}`,
  save: 'Save as image',
  print: 'Print',
  tools: 'Save or share',
  mailed: 'We send it to you by mail too. If it does not arrive, keep this page.',
  phone: 'Continue on your phone',
  phoneDetail: 'Scan this code with the camera to open this page on your phone.',
  phoneCode: 'QR code of this page’s address',
  concept: 'Concept for your bank',
  conceptDetail: 'What you may write if your bank asks for a concept. A numeric reference can be any number.',
  copyConcept: 'Copy the concept',
  conceptCopied: 'Concept copied',
}
