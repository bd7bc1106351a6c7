import type { Declaration } from '../../../src/http/declaration.ts'
import { reportDaysMax } from './contract.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/intelligence'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 96,
      name: 'Intelligence',
      description:
        'What your payments say: how many cards were accepted and why others were not, how many vouchers and transfers were paid, what will be in your balance, and what is unusual. Nothing here moves money.',
    },
  ],
  limits: {
    intelligence_days: {
      most: reportDaysMax,
      unit: 'days',
      says: 'The days of a report of what payments say.',
    },
  },
}
