import type { Declaration } from '../../../src/http/declaration.ts'
import { daysMax, running } from './contract.ts'
import { errors } from './errors.ts'
import { reportRunLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/reporting'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 90,
      name: 'Reporting',
      description:
        'Reports over days, computed from the ledger. A run is over when its opening, its rows and its closing agree. Days that are over never change.',
    },
  ],
  nouns: { runs: 'run of a report' },
  publishes: [running],
  jobs: {
    report_runs: { at: 220, runs: 'run.ts#runReports', table: 'report_runs' },
    report_files: {
      at: 221,
      runs: 'run.ts#removeReports',
      table: 'report_runs',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
  },
  lookedUp: ['report_runs'],
  deadlines: [{ table: 'report_runs', columns: ['next_check_at', 'remove_at'] }],
  lifecycles: [reportRunLifecycle],
  events: {
    report_run: {
      scopes: ['reporting:read'],
      shownBy: 'report_runs.get',
      types: {
        succeeded: { says: 'A run of a report ended: its file is there.', trigger: 'report_runs.create' },
        failed: {
          says: 'A run of a report failed: its rows are not what the accounts moved by.',
          unmade: 'the books of the ledger would have to be wrong',
        },
      },
    },
  },
  errors,
  limits: {
    report_days: { most: daysMax, unit: 'days', says: 'The days of a run of a report.' },
  },
  samples: { 'report_runs.create': { other: { format: 'jsonl' } } },
}
