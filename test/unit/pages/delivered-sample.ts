import type { Delivered } from '../../../functions/goods/entitlements/api.ts'

/** Something of each kind, and of each state. */
export function delivered(): Delivered[] {
  const of = (over: Partial<Delivered>): Delivered => ({
    kind: 'voucher',
    itemName: 'Clase de barro',
    state: 'ready',
    code: '7D2K-M9QX-0RTB-X7QD',
    expiresAt: null,
    downloads: [],
    ...over,
  })
  const missing = (['pending', 'revoked', 'expired', 'used_up'] as const).map((state) =>
    of({ state, code: null }),
  )
  const book = { name: 'Recetario de la abuela.pdf', bytes: 1_482_113, path: '/downloads/x', left: 4 }
  return [
    of({}),
    of({ kind: 'file', itemName: 'Recetario', code: null, downloads: [book] }),
    of({ kind: 'file', itemName: 'Guía', code: null }),
    of({ kind: 'license_key', itemName: 'Editor', code: 'JX2M-4T9C-9F2C' }),
    of({ kind: 'access', itemName: 'Curso', code: null, expiresAt: new Date('2026-12-21T01:36:00Z') }),
    of({ state: 'redeemed' }),
    ...missing,
  ]
}
