import type { Locale } from '../../../../src/kernel/locale.ts'

export const words = {
  'es-MX': {
    title: 'Un lector o teléfono de prueba',
    pair: {
      heading: 'Vincula este dispositivo',
      detail:
        'Esta página hace de lector o de teléfono. Crea un código de vinculación en tu servidor y escríbelo aquí.',
      code: 'Código de vinculación',
      button: 'Vincular',
    },
    open: {
      heading: 'Abre la sesión del teléfono',
      detail:
        'Pide a tu servidor un token de conexión para este teléfono y su sucursal, y pega aquí su secreto.',
      device: 'device_id',
      location: 'location_id',
      secret: 'Secreto del token',
      button: 'Abrir sesión',
    },
    wait: { heading: 'Listo para cobrar', detail: 'Esperando lo que pida tu servidor…' },
    take: {
      heading: 'Acerca tu tarjeta',
      card: 'Tarjeta de prueba',
      how: 'Cómo',
      ways: { tap: 'Tarjeta', tap_with_phone: 'Teléfono o reloj', tap_with_pin: 'Tarjeta y NIP' },
      button: 'Acercar',
      months: 'meses sin intereses',
    },
    tip: { heading: '¿Quieres dejar propina?', none: 'Sin propina', other: 'Otra cantidad', on: 'Sobre' },
    shown: { heading: 'Tu cuenta', total: 'Total' },
    done: {
      succeeded: 'Pago aprobado',
      failed: 'Tarjeta rechazada',
      canceled: 'Cobro cancelado',
      timed_out: 'Se acabó el tiempo',
      unknown: 'El banco aún no confirma. No cobres otra vez.',
      printed: 'Recibo impreso',
      button: 'Seguir',
    },
    off: 'Olvidar este dispositivo',
    offline: 'Sin conexión. Sigue intentando.',
  },
  en: {
    title: 'A test reader or phone',
    pair: {
      heading: 'Pair this device',
      detail: 'This page plays a reader or a phone. Create a pairing code on your server and type it here.',
      code: 'Pairing code',
      button: 'Pair',
    },
    open: {
      heading: 'Open the session of the phone',
      detail: 'Ask your server for a connection token for this phone and its location, and paste its secret.',
      device: 'device_id',
      location: 'location_id',
      secret: 'Secret of the token',
      button: 'Open session',
    },
    wait: { heading: 'Ready to take cards', detail: 'Waiting for what your server asks…' },
    take: {
      heading: 'Hold your card here',
      card: 'Test card',
      how: 'How',
      ways: { tap: 'Card', tap_with_phone: 'Phone or watch', tap_with_pin: 'Card and PIN' },
      button: 'Tap',
      months: 'monthly installments',
    },
    tip: { heading: 'Would you like to leave a tip?', none: 'No tip', other: 'Another amount', on: 'On' },
    shown: { heading: 'Your order', total: 'Total' },
    done: {
      succeeded: 'Payment approved',
      failed: 'Card declined',
      canceled: 'Payment canceled',
      timed_out: 'The time is over',
      unknown: 'The bank has not confirmed yet. Do not charge again.',
      printed: 'Receipt printed',
      button: 'Go on',
    },
    off: 'Forget this device',
    offline: 'No connection. Trying again.',
  },
} as const satisfies Readonly<Record<Locale, unknown>>
