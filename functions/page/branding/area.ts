import type { Declaration } from '../../../src/http/declaration.ts'
import { logoBytesMax } from './checked.ts'
import { removal } from './contract.ts'
import { errors } from './errors.ts'
import { logoLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/workspace/branding'], by: 'operations.ts#operations' }],
  publicFiles: ['logos'],
  tags: [
    {
      at: 21,
      name: 'Branding',
      description:
        'How your business looks on the buyers’ pages and in their mails: name, logo and colors, for each environment. Colors in which text could not be read are refused, with the contrast and a color that has enough.',
    },
  ],
  publishes: [removal],
  jobs: {
    logos: {
      at: 175,
      runs: 'operations.ts#removeLogos',
      table: 'logos',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
  },
  lookedUp: ['logos'],
  deadlines: [{ table: 'logos', columns: ['remove_at'] }],
  lifecycles: [logoLifecycle],
  events: {
    branding: {
      scopes: ['workspace:read'],
      shownBy: 'branding.get',
      types: { updated: { says: 'The branding was changed.', trigger: 'branding.update' } },
    },
  },
  nouns: { branding: 'branding', logo: 'branding' },
  mails,
  errors,
  limits: {
    logo: { most: logoBytesMax, unit: 'bytes', says: 'The file of a logo.' },
  },
  constraints: { logos_one_stored: 'stale' },
  samples: {
    'branding.update': { other: { primary_color: '#7c2d12' } },
    'branding.put_logo': {
      other: {
        content:
          'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyMCAxMCI+PHBhdGggZD0iTTAgMGgyMHYxMEgweiIvPjwvc3ZnPg==',
      },
    },
  },
}
