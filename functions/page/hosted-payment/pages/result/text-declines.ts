import type { DeclineCode } from '../../../../../src/processors/port.ts'

/** Why a card was declined, as the buyer reads it. */
export const declineReasons: { readonly [Language in 'es' | 'en']: { readonly [C in DeclineCode]: string } } =
  {
    es: {
      insufficient_funds: 'La tarjeta no tiene fondos suficientes. Intenta con otra tarjeta.',
      card_declined: 'El banco rechazó la tarjeta. Intenta con otra o habla con tu banco.',
      expired_card: 'La tarjeta está vencida. Intenta con otra tarjeta.',
      suspected_fraud: 'El banco detuvo el pago por seguridad. Habla con tu banco o usa otra tarjeta.',
      authentication_failed:
        'El pago no quedó confirmado con tu banco. Inténtalo de nuevo o usa otra tarjeta.',
      processing_error: 'Hubo un problema al procesar el pago. Inténtalo de nuevo en unos minutos.',
      blocked:
        'El comercio no recibe esta tarjeta en este pago. Usa otra forma de pago o habla con el comercio.',
    },
    en: {
      insufficient_funds: 'The card does not have enough funds. Try another card.',
      card_declined: 'The bank declined the card. Try another one or talk to your bank.',
      expired_card: 'The card has expired. Try another card.',
      suspected_fraud: 'The bank stopped the payment for security. Talk to your bank or use another card.',
      authentication_failed: 'The payment was not confirmed with your bank. Try again or use another card.',
      processing_error: 'There was a problem processing the payment. Try again in a few minutes.',
      blocked:
        'The merchant does not take this card for this payment. Pay another way or talk to the merchant.',
    },
  }
