/** The words of the page that asks for a person; a part of `text`. */
export const personEs = {
  title: 'Confirma que eres una persona',
  detail: (merchant: string) =>
    `Alguien prueba tarjetas ajenas en esta página. Antes de cobrar con la tuya, ${merchant} se asegura de que no pague un programa. Tarda unos segundos.`,
  go: 'Continuar con el pago',
  again: 'No pudimos confirmarlo. Inténtalo otra vez.',
  unreachable:
    'No se pudo hacer la verificación. Revisa tu conexión y si algo bloquea scripts, y vuelve a abrir la página.',
  needsScript: 'Para pagar aquí con tarjeta, activa JavaScript y vuelve a intentarlo.',
  otherWay: 'Pagar de otra forma',
}

export const personEn: typeof personEs = {
  title: 'Confirm that you are a person',
  detail: (merchant) =>
    `Somebody tries out other people’s cards on this page. Before it charges yours, ${merchant} makes sure that no program pays. It takes a few seconds.`,
  go: 'Go on with the payment',
  again: 'We could not confirm it. Try again.',
  unreachable:
    'The check could not be made. Look at your connection and whether anything blocks scripts, and open the page again.',
  needsScript: 'To pay by card here, turn on JavaScript and try again.',
  otherWay: 'Pay another way',
}
