import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Verification } from '../functions/account/audit-events/store.ts'
import { failed, StackError } from './errors.ts'
import type { Query } from './reencrypt.ts'

const HELP = `MIGRATION_DATABASE_URL=… npm run audit:verify [-- options]

Verifies the chain of audit events of every workspace, a line each. Ends with code 1 where one is broken.

  --workspace=ID          only this workspace
  --after=ID[:SEQUENCE]   continues behind this workspace, or behind a sequence of it: a run that was stopped
  --anchors=FILE          checks the digests of FILE as well: lines of an earlier run, or of the Workers' log`

interface Anchor {
  readonly tenantId: string
  readonly sequence: number
  readonly digest: string
}

interface Wanted {
  readonly workspace?: string | undefined
  /** The last workspace that was verified, or the sequence in it. */
  readonly after?: { readonly tenantId: string; readonly sequence: number | null } | undefined
  readonly anchors?: readonly Anchor[]
}

const pageRows = 10_000

/**
 * Verifies chains, in the order of their workspaces. Says a line for each, and returns how many are broken.
 * @throws StackError where an id is none, or where no workspace has the one that is to be verified
 */
export async function verifyAudit(
  query: Query,
  { workspace, after, anchors = [] }: Wanted,
  say: (line: string) => void,
): Promise<number> {
  for (const id of [workspace, after?.tenantId])
    if (id !== undefined && !/^tn_[0-9a-f]{32}$/.test(id))
      throw new StackError(`${id} is no id of a workspace: that is tn_ and 32 hex digits`)
  const tenants = await query(
    `select door.workspace_id(t.tenant_id) as tenant_id
     from (select tenant_id from tenants union select tenant_id from audit_heads) t
     where ($1::text is null or t.tenant_id = door.workspace_key($1)) and ($2::text is null or t.tenant_id >= door.workspace_key($2))
     order by t.tenant_id`,
    [workspace ?? null, after?.tenantId ?? null],
  )
  if (workspace && tenants.length === 0)
    throw new StackError(`There is no workspace ${workspace} in this database`)
  let broken = 0
  for (const { tenant_id } of tenants) {
    const tenantId = String(tenant_id)
    const first = after?.tenantId === tenantId ? after.sequence : 0
    if (first === null) continue
    const own = anchors.filter((anchor) => anchor.tenantId === tenantId)
    const { firstBreak, last } = await verified(query, tenantId, first, own)
    if (firstBreak) broken++
    say(
      firstBreak
        ? `${tenantId} BROKEN at ${firstBreak.sequence}: ${firstBreak.reason}`
        : `${tenantId} intact ${last.sequence} ${last.digest}`,
    )
  }
  return broken
}

async function verified(query: Query, tenantId: string, first: number, anchors: readonly Anchor[]) {
  const page = async (after: number, digest: string | null, rows: number) => {
    const [row] = await query('select door.verify_audit(door.workspace_key($1), $2, $3, $4) as found', [
      tenantId,
      after,
      digest,
      rows,
    ])
    return row!.found as Verification
  }
  for (const { sequence, digest } of anchors) {
    const found = await page(sequence, digest, 1)
    if (found.firstBreak?.sequence === sequence) return found
  }
  let found = await page(first, null, pageRows)
  while (found.hasMore) found = await page(found.last.sequence, found.last.digest, pageRows)
  return found
}

/** The digests that a file of lines keeps, of this command or of the Workers' log. */
export const anchorsIn = (text: string): Anchor[] =>
  text.split('\n').flatMap((line) => {
    const [, sequence, digest] = /\b(\d+) ([0-9a-f]{64})\b/.exec(line) ?? []
    if (sequence === undefined || digest === undefined) return []
    const tenantId = line.startsWith('{') ? String(JSON.parse(line).id) : line.split(' ', 1)[0]!
    return [{ tenantId, sequence: Number(sequence), digest }]
  })

/** `npm run audit:verify`: the database that the environment's variable names, with the role that migrates it. */
async function main(): Promise<void> {
  const options = {
    workspace: { type: 'string' },
    after: { type: 'string' },
    anchors: { type: 'string' },
  } as const
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
  if (values.help) return console.log(HELP)
  const url = process.env.MIGRATION_DATABASE_URL
  if (!url) throw new StackError('Set MIGRATION_DATABASE_URL to the database whose audit events are verified')
  const [tenantId, sequence] = values.after?.split(':') ?? []
  const client = new pg.Client({ connectionString: url, application_name: 'spindle-audit' })
  await client.connect()
  try {
    // The role that looks across workspaces: the owner of the tables sees no row of them.
    await client.query('set role spindle_auth')
    const broken = await verifyAudit(
      async (text, params) => (await client.query(text, params)).rows,
      {
        workspace: values.workspace,
        after: tenantId
          ? { tenantId, sequence: sequence === undefined ? null : Number(sequence) }
          : undefined,
        anchors: values.anchors ? anchorsIn(readFileSync(values.anchors, 'utf8')) : [],
      },
      console.log,
    )
    if (broken > 0) throw new StackError(`${broken} chains of audit events are broken`)
  } finally {
    await client.end()
  }
}

if (import.meta.main) main().catch(failed)
