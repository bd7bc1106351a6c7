import * as z from 'zod'
import { reportDeliveries } from '../../../drizzle/schema/reporting.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import { paged, uuid } from '../../../src/http/schemas.ts'
import { access, tag } from './contract.ts'

const Delivery = shown('report_delivery', {
  run_id: uuid.describe('The run whose file the link opens.'),
  member_id: uuid.describe('The member whom the link is for.'),
  status: z
    .enum(reportDeliveries.status.enumValues)
    .describe(
      '`waiting`: its mail is written within a minute. `mailed`: it is written; GET /v1/workspace/mails?kind=report_ready shows what became of it. `withheld`: they get none.',
    ),
  withheld_for: z
    .enum(reportDeliveries.withheldFor.enumValues)
    .nullable()
    .describe(
      '`member_left`: they are no member any more. `unnamed`: the schedule does not name them any more. `address_unconfirmed`: their address is not confirmed. `file_removed`: the file was gone before.',
    ),
}).meta({ id: 'ReportDelivery' })

const example = exampleOf('report_delivery', '0190a6d2-7c3e-7b1a-9f00-0000000000c1', {
  run_id: '0190a6d2-7c3e-7b1a-9f00-0000000000a1',
  member_id: '0190a6d2-7c3e-7b1a-9f00-0000000000d1',
  status: 'withheld' as const,
  withheld_for: 'address_unconfirmed' as const,
})

export const list = contract({
  ...reads,
  tag,
  access,
  id: 'report_deliveries.list',
  path: '/v1/reporting/runs/:id/deliveries',
  params: z.strictObject({ id: uuid }),
  notFound: 'report_run_not_found',
  summary: 'List who is mailed a run of a report',
  description:
    'The members whom its schedule named when the run succeeded: whether the mail with their link is written, or why they get none. A run that no schedule made has none.',
  ...paged(Delivery, example),
  errors: ['report_run_not_found', 'cursor_invalid'],
})
