import type { Locale } from '../../../../../src/kernel/locale.ts'

/** Words of an order that costs nothing. */
export const freeText: Readonly<
  Record<
    Locale,
    {
      readonly heading: string
      readonly promise: string
      readonly complete: string
      readonly title: string
      readonly detail: (merchant: string) => string
      readonly expires: (when: string) => string
      readonly discount: string
      /** The title of the receipt on paper. */
      readonly receipt: string
      readonly folioFor: string
    }
  >
> = {
  'es-MX': {
    heading: 'No tienes que pagar nada',
    promise: 'No te pediremos ninguna tarjeta.',
    complete: 'Completar pedido',
    title: 'Pedido completado',
    detail: (merchant) => `${merchant} ya tiene tu pedido. No se cobró nada.`,
    expires: (when) => `Puedes completarlo hasta el ${when}`,
    discount: 'Descuento',
    receipt: 'Comprobante de pedido',
    folioFor: 'Dilo o escríbelo al comercio para encontrar este pedido.',
  },
  en: {
    heading: 'There is nothing to pay',
    promise: 'No card is asked for.',
    complete: 'Complete order',
    title: 'Order completed',
    detail: (merchant) => `${merchant} has your order. Nothing was charged.`,
    expires: (when) => `You can complete it until ${when}`,
    discount: 'Discount',
    receipt: 'Order receipt',
    folioFor: 'Tell it or write it to the merchant to find this order.',
  },
}
