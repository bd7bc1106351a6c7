import type { Declaration } from '../../../src/http/declaration.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/intelligence'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 96,
      name: 'Intelligence',
      description:
        'What your payments say: how many cards were accepted and why others were not, how many vouchers and transfers were paid, and what will be in your balance. Nothing here changes anything.',
    },
  ],
}
