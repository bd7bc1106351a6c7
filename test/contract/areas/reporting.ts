import { over, started } from '../../support/reporting.ts'
import type { AreaSamples, World } from '../samples.ts'

const succeeded = async ({ merchant }: World) =>
  (await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))).id

export const samples: AreaSamples = {
  makers: {
    '/v1/reporting/runs/:id/rows': succeeded,
    '/v1/reporting/runs/:id/file': succeeded,
    '/v1/reporting/runs/:id/verify': succeeded,
  },
}
