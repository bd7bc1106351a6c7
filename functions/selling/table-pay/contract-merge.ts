import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { changing, exampleChanged, reply } from './contract.ts'
import { path } from './contract-tables.ts'

export const merge = contract({
  ...changing,
  tables: ['table_sessions'],
  id: 'table_sessions.merge',
  path: `${path}/sessions/:id/merge`,
  summary: 'Merge another open bill into this one',
  description:
    'Its lines keep their ids, its discount is added, and its table is free; its guests are led to this bill. Where this one has no PIN it gets that of the other one. Nothing of the other bill may be paid or being paid; this one may be paid meanwhile.',
  body: z.strictObject({
    from_id: uuid.describe('The other open bill, whose lines and discount move here.'),
  }),
  reply,
  errors: [
    'table_session_not_found',
    'table_session_not_open',
    'table_session_merge_paid',
    'amount_above_maximum',
  ],
  example: {
    body: { from_id: '0190a6d2-7c3e-7b1a-9f00-000000000208' },
    reply: exampleChanged,
  },
})
