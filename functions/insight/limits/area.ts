import type { Declaration } from '../../../src/http/declaration.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/workspace/limits'], by: 'operations.ts#operations' }],
}
