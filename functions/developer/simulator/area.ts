import type { Declaration } from '../../../src/http/declaration.ts'

export const area: Declaration = {
  routes: [{ at: ['/simulator'], by: 'pages/routes.ts#simulatorPages', given: 'origins' }],
}
