import type { Declaration } from '../../../src/http/declaration.ts'
import { linesMost, sweep } from './contract.ts'
import { tag, view } from './contract-tables.ts'
import { reportDaysMost } from './contract-waiters.ts'
import { errors } from './errors.ts'
import {
  externalPaymentLifecycle,
  lineLifecycle,
  sessionLifecycle,
  tableLifecycle,
  tipPayoutLifecycle,
  waiterLifecycle,
} from './lifecycle.ts'

export const area: Declaration = {
  routes: [
    { at: ['/v1/table-pay'], by: 'operations.ts#operations' },
    { at: ['/m'], by: 'pages/routes.ts#tablePages' },
  ],
  tags: [
    {
      at: 53,
      name: tag,
      description:
        'The bill of a table, which its guests pay in parts from their own phones: lines, an equal share, an amount or the rest. Lines are added while they pay, and no part is paid twice.',
    },
  ],
  nouns: {
    tables: 'dining table',
    'table-pay/sessions': 'bill',
    'external-payments': 'recorded payment',
    waiters: 'waiter',
    'tip-payouts': 'payout of tips',
  },
  publishes: [sweep, view],
  jobs: {
    table_session_sums: {
      at: 143,
      runs: 'operations.ts#announceSettled',
      table: 'table_session_sums',
      due: 'd.settled_at is not null and d.announced_at is null',
      firstBy: 'settled_at',
    },
  },
  personalData: {
    table_lines: { columns: [], impersonal: 'name' },
    // Employees of the merchant, who are nobody's customers here.
    waiters: { columns: [], impersonal: 'name payroll_reference' },
    table_external_payments: { columns: [], impersonal: 'note' },
    tip_payouts: { columns: [], impersonal: 'note' },
  },
  lookedUp: ['table_sessions', 'table_session_sums'],
  kinds: {
    dining_table: { table: 'dining_tables', hasPublicIds: true },
    table_session: {
      table: 'table_sessions',
      hasPublicIds: true,
      hasMetadata: true,
      holds: ['table_session'],
      origin: 'origin.ts#tableSessionOrigin',
      facts: 'facts.ts#tableSession',
    },
  },
  lifecycles: [
    tableLifecycle,
    sessionLifecycle,
    lineLifecycle,
    externalPaymentLifecycle,
    waiterLifecycle,
    tipPayoutLifecycle,
  ],
  events: {
    dining_table: {
      scopes: ['table_pay:read'],
      shownBy: 'dining_tables.get',
      types: {
        created: { says: 'A table was created.', trigger: 'dining_tables.create' },
        updated: { says: 'A table was changed.', trigger: 'dining_tables.update' },
        archived: { says: 'A table was archived.', trigger: 'dining_tables.archive' },
        restored: { says: 'An archived table was restored.', trigger: 'dining_tables.restore' },
      },
    },
    table_session: {
      scopes: ['table_pay:read'],
      shownBy: 'table_sessions.get',
      types: {
        opened: { says: 'The bill of a table was opened.', trigger: 'table_sessions.open' },
        updated: {
          says: 'A bill was changed: its lines, its discount or its table.',
          trigger: 'table_sessions.add_lines',
        },
        settled: 'All of a bill is paid.',
        closed: 'A paid bill was closed.',
        merged: 'A bill became a part of another one, which has its lines now.',
        voided: { says: 'An unpaid bill was voided.', trigger: 'table_sessions.void' },
        reopened: { says: 'A closed or void bill was reopened.', trigger: 'table_sessions.reopen' },
      },
    },
    table_external_payment: {
      scopes: ['table_pay:read'],
      shownBy: 'table_external_payments.get',
      types: {
        recorded: {
          says: 'What was paid for a bill outside of Spindle was recorded.',
          trigger: 'table_external_payments.record',
        },
        canceled: {
          says: 'A recorded payment was canceled.',
          trigger: 'table_external_payments.cancel',
        },
      },
    },
    waiter: {
      scopes: ['table_pay:read'],
      shownBy: 'waiters.get',
      types: {
        created: { says: 'A waiter was created.', trigger: 'waiters.create' },
        updated: { says: 'A waiter was changed.', trigger: 'waiters.update' },
        archived: { says: 'A waiter was archived.', trigger: 'waiters.archive' },
        restored: { says: 'An archived waiter was restored.', trigger: 'waiters.restore' },
      },
    },
    tip_payout: {
      scopes: ['table_pay:read'],
      shownBy: 'tip_payouts.get',
      types: {
        recorded: 'It was recorded that a waiter was paid tips.',
        canceled: 'A payout of tips that was recorded by mistake was canceled.',
      },
    },
  },
  errors,
  limits: {
    tip_report_days: { most: reportDaysMost, unit: 'days', says: 'How many days a report of tips has.' },
    table_session_lines: { most: linesMost, unit: 'count', says: 'How many lines the bill of a table has.' },
  },
  constraints: {
    dining_tables_name: { code: 'dining_table_name_taken', param: 'name' },
    dining_tables_name_nowhere: { code: 'dining_table_name_taken', param: 'name' },
    dining_tables_location: { code: 'location_not_found', param: 'location_id' },
    dining_tables_active: { code: 'dining_table_archived' },
    dining_tables_occupied: { code: 'dining_table_occupied' },
    table_sessions_open: { code: 'dining_table_occupied' },
    table_sessions_unpaid: { code: 'table_session_unpaid' },
    table_sessions_merge_paid: { code: 'table_session_merge_paid', param: 'from_id' },
    table_sessions_merge_open: 'stale',
    table_sessions_being_paid: { code: 'table_session_being_paid' },
    table_sessions_total: { code: 'table_session_amount_taken' },
    table_sessions_bounded: { code: 'table_session_amount_taken' },
    table_sessions_over: { code: 'table_session_not_open' },
    table_lines_claimed: { code: 'table_line_claimed' },
    table_lines_paid_once: { code: 'table_line_claimed', param: 'line_ids' },
    table_lines_position: 'stale',
    waiters_payroll_reference: { code: 'waiter_reference_taken', param: 'payroll_reference' },
    tip_payouts_covered: { code: 'tip_payout_above_owed', param: 'amount' },
  },
  samples: {
    'dining_tables.create': { unique: ['name'] },
    'dining_tables.update': { other: { name: 'Otra mesa' } },
    'dining_tables.restore': { after: ['dining_tables.archive'] },
    'table_sessions.reopen': { after: ['table_sessions.void'] },
    'waiters.create': { unique: ['payroll_reference'] },
    'waiters.restore': { after: ['waiters.archive'] },
  },
}
