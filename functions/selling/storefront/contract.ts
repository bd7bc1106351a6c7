/** What any holder of a catalog's address may read, and the order that they may make. */
export const view = { id: 'storefront.view', access: { public_id: {} }, tables: [] } as const
export const order = {
  id: 'storefront.order',
  access: { public_id: {} },
  tables: ['checkout_sessions'],
} as const
