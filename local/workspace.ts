import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { decisions, detailsDecisions } from '../functions/account/workspace/contract.ts'
import { planDetailsDecision } from '../functions/account/workspace/plan-details.ts'
import { type Decision, planDecision } from '../functions/account/workspace/plan-status.ts'
import { presentWorkspace, type WorkspaceRow } from '../functions/account/workspace/present.ts'
import { ownWorkspace } from '../functions/account/workspace/store.ts'
import { review } from '../functions/money/bank-accounts/contract.ts'
import { planVerdict, type Verdict } from '../functions/money/bank-accounts/plan.ts'
import { bankAccountById } from '../functions/money/bank-accounts/store.ts'
import { others } from '../src/http/access/kinds.ts'
import type { Environment } from '../src/kernel/api-key.ts'
import { clockOf } from '../src/kernel/clock.ts'
import type { Plan } from '../src/kernel/plan.ts'
import { type Credential, payloadOf } from '../src/platform/postgres.ts'
import type { BoundQuery } from '../src/platform/query.ts'
import { failed, StackError } from './errors.ts'

const HELP = `MIGRATION_DATABASE_URL=… npm run workspace -- COMMAND TENANT_ID [options]

  show        prints the workspace
  approve     ends its review: it is live
  decline     ends its review: its owners correct what --reason says
  suspend     no new payments; payouts and transfers are held
  reinstate   ends a suspension
  close       no new payments, for good
  approve-details     name, brand name, site or fiscal profile become what an owner asked for
  decline-details     they stay
  verify-account ID   a bank account of it, whose owner was looked at
  reject-account ID

  --by=NAME        your short name, which its audit trail shows; all but show
  --reason=TEXT    for its owners, who get it by mail; decline, decline-details, suspend and close
  --cool-down-hours=N    before payouts to the account; 24 when absent`

const withReason: readonly Decision[] = ['decline', 'suspend', 'close']
const detailsVerdicts: Readonly<Record<string, keyof typeof detailsDecisions>> = {
  'approve-details': 'approved',
  'decline-details': 'declined',
}
const isDecision = (command: string | undefined): command is Decision =>
  Object.hasOwn(decisions, command ?? '')

// Cells stay as Postgres prints them: the query decodes its own columns.
const asPrinted: pg.CustomTypesConfig = { getTypeParser: () => (cell: string) => cell }

const verdicts: Readonly<Record<string, Verdict>> = {
  'verify-account': 'verified',
  'reject-account': 'refused_in_review',
}

/** A login of the role that migrates, as door.authorize knows an operator. */
interface Operator {
  readonly client: pg.Client
  readonly tenantId: string
  readonly by: string
}

const credentialOf = ({ tenantId, by }: Operator): Credential => others.operator(tenantId, by)

/** Rows of the workspace, which the operation's rights pin. */
async function read<Row>(operator: Operator, operation: string, query: BoundQuery<Row>): Promise<Row[]> {
  const { client } = operator
  await client.query('begin')
  try {
    await client.query('set local role spindle_door')
    await client.query('select door.authorize($1, $2)', [credentialOf(operator), operation])
    const { text, values } = query
    const { rows } = await client.query({ text, values: [...values], rowMode: 'array', types: asPrinted })
    return query.rows(rows)
  } finally {
    await client.query('rollback')
  }
}

async function publish(operator: Operator, operation: string, plan: Plan<unknown>, now: Date): Promise<void> {
  const { writes, events, subjectId } = plan
  const publication = {
    operation,
    credential: credentialOf(operator),
    publishId: randomUUID(),
    requestId: `req_${randomUUID().replaceAll('-', '')}`,
    now,
    writes,
    events,
    ...(subjectId && { subjectId }),
  }
  await operator.client.query('select door.publish($1)', [JSON.stringify(payloadOf(publication))])
}

const environmentOf = async ({ client }: Operator): Promise<Environment> =>
  (await client.query<{ environment: Environment }>('select environment from door_settings')).rows[0]!
    .environment

async function workspaceOf(operator: Operator): Promise<WorkspaceRow> {
  const [tenant] = await read(operator, decisions.suspend.id, ownWorkspace())
  if (!tenant) throw new StackError(`There is no workspace ${operator.tenantId} in this database`)
  return tenant
}

/** Decides and publishes; returns the workspace as it is then. */
export async function decide(
  operator: Operator,
  decision: Decision,
  reason: string | null,
  now = new Date(),
) {
  const [environment, tenant] = [await environmentOf(operator), await workspaceOf(operator)]
  const plan = planDecision(tenant, decision, { reason, environment }, clockOf(now))
  if (!plan) throw new StackError(`A workspace that is ${tenant.status} allows no ${decision}`)
  await publish(operator, decisions[decision].id, plan, now)
  return plan.reply
}

/** Decides about the details that an owner asked to change; returns the workspace as it is then. */
export async function decideDetails(
  operator: Operator,
  decision: keyof typeof detailsDecisions,
  reason: string | null,
  now = new Date(),
) {
  const [environment, tenant] = [await environmentOf(operator), await workspaceOf(operator)]
  const plan = planDetailsDecision(tenant, decision, { reason, environment }, clockOf(now))
  if (!plan) throw new StackError('No change of its details waits for a decision')
  await publish(operator, detailsDecisions[decision].id, plan, now)
  return plan.reply
}

/** A reviewer's verdict on a bank account. Returns the account as it is then. */
export async function judge(
  operator: Operator,
  { accountId, verdict, coolDownHours }: { accountId: string; verdict: Verdict; coolDownHours: number },
  now = new Date(),
) {
  const [account] = await read(operator, review.id, bankAccountById({ id: accountId }))
  if (!account) throw new StackError(`There is no bank account ${accountId} in ${operator.tenantId}`)
  const plan = planVerdict(account, verdict, coolDownHours, clockOf(now))
  if (!plan) throw new StackError(`The bank account is ${account.status} already`)
  await publish(operator, review.id, plan, now)
  return plan.reply
}

/** `npm run workspace`, with the role that migrates the database. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      by: { type: 'string' },
      reason: { type: 'string' },
      'cool-down-hours': { type: 'string', default: '24' },
      help: { type: 'boolean' },
    },
  })
  const [command, tenantId, accountId] = positionals
  const verdict = verdicts[command ?? '']
  const aboutDetails = detailsVerdicts[command ?? '']
  const isKnown =
    command === 'show' || isDecision(command) || aboutDetails !== undefined || (verdict && accountId)
  if (values.help || !tenantId || !isKnown) return console.log(HELP)
  const url = process.env.MIGRATION_DATABASE_URL
  if (!url) throw new StackError('Set MIGRATION_DATABASE_URL to the database of the workspace')
  const { by = '', reason = '' } = values
  const client = new pg.Client({ connectionString: url, application_name: 'spindle-workspace' })
  await client.connect()
  try {
    const operator = { client, tenantId, by }
    if (command === 'show') {
      const environment = await environmentOf(operator)
      return console.log(presentWorkspace(await workspaceOf(operator), environment))
    }
    if (!/^[a-z][a-z0-9._-]{1,39}$/.test(by)) throw new StackError('--by must be your short name')
    if (verdict && accountId) {
      const coolDownHours = Number(values['cool-down-hours'])
      return console.log(await judge(operator, { accountId, verdict, coolDownHours }))
    }
    const takesReason = aboutDetails === 'declined' || (isDecision(command) && withReason.includes(command))
    if (takesReason !== reason.length > 0)
      throw new StackError(`${command} takes ${takesReason ? 'a' : 'no'} --reason`)
    if (aboutDetails) console.log(await decideDetails(operator, aboutDetails, reason || null))
    else if (isDecision(command)) console.log(await decide(operator, command, reason || null))
  } finally {
    await client.end()
  }
}

if (import.meta.main) main().catch(failed)
