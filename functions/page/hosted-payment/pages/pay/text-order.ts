import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { AdjustmentProblem } from '../../../../order/lines/api-pure.ts'

interface OrderText {
  readonly heading: string
  readonly things: (count: number) => string
  readonly discount: (code: string) => string
  readonly code: string
  readonly haveCode: string
  readonly apply: string
  readonly update: string
  readonly quantityOf: (name: string) => string
  readonly shipping: (name: string) => string
  readonly sending: string
  readonly tip: string
  readonly noTip: string
  readonly ownTip: string
  readonly tipAmount: (currency: string) => string
  readonly remove: (code: string) => string
  readonly goOnWithout: string
  readonly left: (left: number) => string
  readonly takeLeft: (left: number) => string
  /** In place of the methods while a quantity is wrong. */
  readonly correct: string
  readonly changed: (amount: string) => string
  readonly totalNow: (amount: string) => string
  readonly problems: Readonly<Record<AdjustmentProblem, string>>
}

const es: OrderText = {
  heading: 'Tu compra',
  things: (count) => (count === 1 ? '1 artículo' : `${count} artículos`),
  discount: (code) => `Descuento ${code}`,
  code: 'Código de descuento',
  haveCode: '¿Tienes un código de descuento?',
  apply: 'Aplicar',
  update: 'Actualizar',
  quantityOf: (name) => `Cantidad de ${name}`,
  shipping: (name) => `Envío: ${name}`,
  sending: 'Envío',
  tip: 'Propina',
  noTip: 'Sin propina',
  ownTip: 'Otra cantidad',
  tipAmount: (currency) => `Importe de la propina (${currency})`,
  remove: (code) => `Quitar el código ${code}`,
  goOnWithout: 'Seguir sin ese descuento',
  left: (left) => (left === 1 ? 'Solo queda 1.' : `Solo quedan ${left}.`),
  takeLeft: (left) => `Cambiar a ${left}`,
  correct: 'Corrige la cantidad para ver cómo pagar.',
  changed: (amount) =>
    `Cambiaste tu pedido: el total es ahora ${amount}. Todavía no se cobró nada. Revísalo y paga.`,
  totalNow: (amount) => `El total es ahora ${amount}.`,
  problems: {
    'code.unknown': 'No conocemos ese código. Revisa cómo está escrito.',
    'code.inactive': 'Ese código ya no está activo.',
    'code.not_started': 'Ese código todavía no empieza.',
    'code.ended': 'Ese código ya venció.',
    'code.other_currency': 'Ese código es para otra moneda.',
    'code.below_minimum': 'Tu compra no llega al mínimo de ese código.',
    'code.needs_customer': 'Ese código es solo para clientes registrados del comercio.',
    'code.used_up': 'Ese código ya se usó todas las veces que se podía.',
    'code.used_by_customer': 'Ya usaste ese código todas las veces que podías.',
    'code.twice': 'Ese descuento ya está aplicado.',
    'code.too_many': 'Se escribieron demasiados códigos en esta compra. Sigue sin código.',
    'quantity.bounds': 'Elige una cantidad dentro de los límites.',
    'quantity.stock': 'No queda tanto. Elige una cantidad menor.',
    'tip.amount': 'Escribe la propina como un importe, por ejemplo 25 o 25.50.',
    'tip.too_much': 'La propina no puede ser mayor que tu compra.',
    'order.amount': 'Con ese cambio el importe ya no se puede pagar aquí. Tu compra quedó como estaba.',
    'order.closed': 'Ya se intentó un pago: la compra ya no cambia.',
  },
}

const en: OrderText = {
  heading: 'Your order',
  things: (count) => (count === 1 ? '1 item' : `${count} items`),
  discount: (code) => `Discount ${code}`,
  code: 'Discount code',
  haveCode: 'Do you have a discount code?',
  apply: 'Apply',
  update: 'Update',
  quantityOf: (name) => `Quantity of ${name}`,
  shipping: (name) => `Shipping: ${name}`,
  sending: 'Shipping',
  tip: 'Tip',
  noTip: 'No tip',
  ownTip: 'Another amount',
  tipAmount: (currency) => `Amount of the tip (${currency})`,
  remove: (code) => `Remove the code ${code}`,
  goOnWithout: 'Go on without that discount',
  left: (left) => `Only ${left} left.`,
  takeLeft: (left) => `Change to ${left}`,
  correct: 'Correct the quantity to see how to pay.',
  changed: (amount) =>
    `You changed your order: the total is now ${amount}. Nothing has been charged. Check it and pay.`,
  totalNow: (amount) => `The total is now ${amount}.`,
  problems: {
    'code.unknown': 'We do not know that code. Check how it is written.',
    'code.inactive': 'That code is no longer active.',
    'code.not_started': 'That code has not begun yet.',
    'code.ended': 'That code has ended.',
    'code.other_currency': 'That code is for another currency.',
    'code.below_minimum': 'Your order is below the minimum of that code.',
    'code.needs_customer': 'That code is for registered customers of the merchant.',
    'code.used_up': 'That code has been used as often as it could be.',
    'code.used_by_customer': 'You have used that code as often as you could.',
    'code.twice': 'That discount is applied already.',
    'code.too_many': 'Too many codes have been typed for this order. Go on without one.',
    'quantity.bounds': 'Choose a quantity within the bounds.',
    'quantity.stock': 'There are not that many left. Choose a smaller quantity.',
    'tip.amount': 'Write the tip as an amount, like 25 or 25.50.',
    'tip.too_much': 'The tip cannot be more than your order.',
    'order.amount': 'With that change the amount cannot be paid here. Your order stays as it was.',
    'order.closed': 'A payment has been tried: the order no longer changes.',
  },
}

/** The words of what a buyer may change of an order. */
export const orderText: Readonly<Record<Locale, OrderText>> = { 'es-MX': es, en }
