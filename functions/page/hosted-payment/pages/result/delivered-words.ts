import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { Delivered, RefusedDownload } from '../../../../goods/entitlements/api.ts'
import type { StateWords } from '../../hosted-origin.ts'

type Kind = Delivered['kind']
type Missing = Exclude<Delivered['state'], 'ready'>

interface Words {
  readonly heading: string
  readonly kinds: Readonly<Record<Kind, string>>
  readonly states: Readonly<Record<Missing, string>>
  /** An access that is had: the merchant opens it. */
  readonly opened: (merchant: string) => string
  readonly noFiles: (merchant: string) => string
  readonly until: (date: string) => string
  readonly left: (count: number) => string
  readonly download: (name: string) => string
  readonly copy: string
  readonly copied: string
  readonly refused: Readonly<Record<RefusedDownload, StateWords>>
}

const always = (text: string) => () => text

export const deliveredWords: Readonly<Record<Locale, Words>> = {
  'es-MX': {
    heading: 'Lo que compraste',
    kinds: {
      file: 'Archivos',
      license_key: 'Clave de licencia',
      access: 'Acceso',
      voucher: 'Código de canje',
    },
    states: {
      pending: 'Lo estamos preparando. Aparecerá en esta página.',
      revoked: 'Ya no está disponible: el pago se devolvió o el comercio lo retiró.',
      expired: 'Su tiempo terminó.',
      redeemed: 'Ya se canjeó.',
      used_up: 'Ya lo descargaste todas las veces que incluye la compra.',
    },
    opened: (merchant) => `${merchant} abrió tu acceso.`,
    noFiles: (merchant) => `${merchant} todavía no ha subido el archivo. Aparecerá en esta página.`,
    until: (date) => `Vigente hasta el ${date}`,
    left: (count) => (count === 1 ? 'Te queda 1 descarga' : `Te quedan ${count} descargas`),
    download: (name) => `Descargar ${name}`,
    copy: 'Copiar',
    copied: 'Copiado',
    refused: {
      not_found: {
        title: 'No encontramos este archivo',
        detail: always('Abre tu recibo y descárgalo desde ahí.'),
      },
      late: {
        title: 'Esta dirección ya no es válida',
        detail: always('Las direcciones de descarga duran una hora. Abre tu recibo: ahí hay una nueva.'),
      },
      revoked: {
        title: 'Esta compra ya no está disponible',
        detail: always(
          'El pago se devolvió o el comercio la retiró. Si crees que es un error, escribe al comercio.',
        ),
      },
      expired: {
        title: 'El tiempo de esta compra terminó',
        detail: always('Si crees que es un error, escribe al comercio.'),
      },
      used_up: {
        title: 'Ya usaste todas las descargas',
        detail: always('Si el archivo no te llegó, escribe al comercio.'),
      },
    },
  },
  en: {
    heading: 'What you bought',
    kinds: {
      file: 'Files',
      license_key: 'License key',
      access: 'Access',
      voucher: 'Voucher code',
    },
    states: {
      pending: 'We are preparing it. It will appear on this page.',
      revoked: 'It is no longer available: the payment was refunded, or the merchant withdrew it.',
      expired: 'Its time is over.',
      redeemed: 'It has been redeemed.',
      used_up: 'You have downloaded it as often as the purchase includes.',
    },
    opened: (merchant) => `${merchant} has opened your access.`,
    noFiles: (merchant) => `${merchant} has not uploaded the file yet. It will appear on this page.`,
    until: (date) => `Valid until ${date}`,
    left: (count) => (count === 1 ? '1 download left' : `${count} downloads left`),
    download: (name) => `Download ${name}`,
    copy: 'Copy',
    copied: 'Copied',
    refused: {
      not_found: {
        title: 'We did not find this file',
        detail: always('Open your receipt and download it from there.'),
      },
      late: {
        title: 'This address is no longer valid',
        detail: always('Download addresses last an hour. Open your receipt: it has a new one.'),
      },
      revoked: {
        title: 'This purchase is no longer available',
        detail: always(
          'The payment was refunded, or the merchant withdrew it. If you think this is a mistake, write to the merchant.',
        ),
      },
      expired: {
        title: 'The time of this purchase is over',
        detail: always('If you think this is a mistake, write to the merchant.'),
      },
      used_up: {
        title: 'You have used all downloads',
        detail: always('If the file did not reach you, write to the merchant.'),
      },
    },
  },
}
