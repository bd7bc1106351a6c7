import type { Declaration } from '../../../src/http/declaration.ts'
import { order, view } from './contract.ts'

export const area: Declaration = {
  routes: [{ at: ['/k'], by: 'pages/routes.ts#storefrontPages' }],
  publishes: [order, view],
}
