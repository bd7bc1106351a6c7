import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Verification } from '../../../functions/account/audit-events/store.ts'
import { anchorsIn, verifyAudit } from '../../../local/verify-audit.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { keyOf } from '../../support/postgres.ts'
import { below, mulberry32, oneOf } from '../../support/random.ts'
import { stack } from '../../support/stack.ts'
import { asKey, insertLink, publish } from '../database/door.ts'

/*
 * What the database's owner could do to a chain, as the superuser with triggers and foreign keys off, each edit in a
 * transaction that rolls back. `SEED=… EDITS=… npx vitest run <file>` runs it again.
 */

const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))
const editsCount = Number(process.env.EDITS ?? 1_000)
const rows = 30
/** Where a row waits while another takes its place. */
const aside = 1_000_000
const random = mulberry32(seed)
console.log(`tampering: SEED=${seed}`)

let merchant: Merchant
let other: Merchant
let columns: readonly { name: string; type: string }[]
const client = new pg.Client({ connectionString: stack.databases.sandbox.adminUrl })

beforeAll(async () => {
  ;[merchant, other] = [await newMerchant(), await newMerchant()]
  for (let made = 0; made < rows; made++) {
    const write = insertLink()
    await publish({
      credential: asKey(merchant.apiKey),
      operation: 'payment_links.create',
      subjectId: write.rows[0]!.id,
      writes: [write],
    })
  }
  await client.connect()
  columns = (
    await client.query<{ name: string; type: string }>(
      `select attname as name, atttypid::regtype::text as type from pg_attribute
       where attrelid = 'audit_events'::regclass and attnum > 0 and not attisdropped`,
    )
  ).rows
  await client.query(`begin; set local session_replication_role = 'replica'`)
})
afterAll(async () => {
  await client.query('rollback')
  await client.end()
})

/** Statements, and the sequence at which the chain is broken after them. */
type Edit = readonly [sql: string, brokenAt: number]

const at = (sequence: number) => `tenant_id = '${keyOf(merchant.tenantId)}' and sequence = ${sequence}`
const head = () => `tenant_id = '${keyOf(merchant.tenantId)}'`
const anyRow = () => 1 + below(random, rows)
const digestAnew = (sequence: number) => `update audit_events e set digest = door.audit_digest(
  coalesce((select b.digest from audit_events b where b.tenant_id = e.tenant_id and b.sequence = e.sequence - 1),
    decode(repeat('0', 64), 'hex')), e.sequence, door.audit_content(e)) where ${at(sequence)}`

/** Another value of a column's type. A new column of a new type needs a line here, and its place in the digest. */
const others: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `${column} || 'x'`,
  'text[]': (column) => oneOf(random, [`array_append(${column}, 'payment:x')`, `'{}'`]),
  uuid: () => 'gen_random_uuid()',
  bigint: (column) => `${column} + ${rows + below(random, 1_000)}`,
  bytea: () => `sha256(gen_random_uuid()::text::bytea)`,
  'timestamp with time zone': (column) => `${column} + interval '${1 + below(random, 1_000)} milliseconds'`,
}
const edited = (sequence: number, { name, type } = oneOf(random, columns)) =>
  name === 'tenant_id'
    ? `update audit_events set tenant_id = '${keyOf(other.tenantId)}' where ${at(sequence)}`
    : `update audit_events set ${name} = ${others[type]!(name)} where ${at(sequence)}`

const kinds: Readonly<Record<string, () => Edit>> = {
  'one column of a row': () => {
    const sequence = anyRow()
    return [edited(sequence), sequence]
  },
  'a row with a digest that fits it': () => {
    const sequence = anyRow()
    const covered = columns.filter(({ name }) =>
      ['operation', 'actor_id', 'actor_type', 'request_id'].includes(name),
    )
    const sql = `${edited(sequence, oneOf(random, covered))}; ${digestAnew(sequence)}`
    return [sql, Math.min(sequence + 1, rows)]
  },
  'rows deleted in the middle or at the end': () => {
    const first = anyRow()
    const last = first + below(random, 3)
    return [`delete from audit_events where ${head()} and sequence between ${first} and ${last}`, first]
  },
  'two rows swapped': () => {
    const first = 1 + below(random, rows - 1)
    const second = first + 1 + below(random, rows - first)
    const moved = (from: number, to: number) => `update audit_events set sequence = ${to} where ${at(from)}`
    return [[moved(first, aside), moved(second, first), moved(aside, second)].join('; '), first]
  },
  'a row in the place of another, the rest moved up': () => {
    const sequence = 1 + below(random, rows - 1)
    const gone = `delete from audit_events where ${at(sequence)}`
    const up = `update audit_events set sequence = sequence + ${aside} where ${head()} and sequence > ${sequence};
      update audit_events set sequence = sequence - ${aside} - 1 where ${head()} and sequence > ${aside}`
    return [`${gone}; ${up}`, sequence]
  },
  'a row added at the end': () => {
    const copy = `insert into audit_events select e.tenant_id, gen_random_uuid(), ${rows + 1}, e.operation, e.actor_type,
      e.actor_id, '{}', e.request_id, e.created_at, e.digest from audit_events e where ${at(anyRow())}`
    return [`${copy}; ${digestAnew(rows + 1)}`, rows + 1]
  },
  'the head': () =>
    oneOf<Edit>(random, [
      [`update audit_heads set sequence = sequence + 1 where ${head()}`, rows + 1],
      [`update audit_heads set sequence = sequence - 1 where ${head()}`, rows],
      [`update audit_heads set digest = sha256('x') where ${head()}`, rows],
      [`delete from audit_heads where ${head()}`, rows + 1],
    ]),
  'what finds a row by its object': () => {
    const sequence = anyRow()
    const found = `id = (select id from audit_events where ${at(sequence)})`
    const sql = oneOf(random, [
      'delete from audit_event_objects',
      `update audit_event_objects set object_id = 'x'`,
      `update audit_event_objects set created_at = created_at + interval '1 millisecond'`,
    ])
    return [`${sql} where ${found}`, sequence]
  },
}

async function verified(sql = '', after = 0, digest: string | null = null): Promise<Verification> {
  const asked = `select door.verify_audit('${keyOf(merchant.tenantId)}', ${after}, ${digest ? `'${digest}'` : 'null'}, 1000) as found`
  const results = (await client.query(
    `savepoint edit; ${sql}; ${asked}; rollback to edit`,
  )) as unknown as pg.QueryResult<{
    found: Verification
  }>[]
  return results.at(-2)!.rows[0]!.found
}

test('the chain is intact before', async () => {
  expect(await verified()).toMatchObject({ checked: rows, firstBreak: null })
})

test(`${editsCount} edits, deletions and reorderings: each is found, at its first row`, async () => {
  const lost: string[] = []
  for (let edit = 0; edit < editsCount; edit++) {
    const kind = Object.keys(kinds)[edit % Object.keys(kinds).length]!
    const [sql, brokenAt] = kinds[kind]!()
    const { firstBreak } = await verified(sql)
    if (firstBreak?.sequence !== brokenAt)
      lost.push(`SEED=${seed} ${kind}: ${sql}: ${JSON.stringify(firstBreak)}, not ${brokenAt}`)
  }
  expect(lost).toEqual([])
})

test('a tail cut off together with its head, or a chain made again, is found by a digest kept outside', async () => {
  const { head: kept } = await verified()
  const cut = `delete from audit_events where ${at(rows)};
    update audit_heads set (sequence, digest) = (select sequence, digest from audit_events where ${at(rows - 1)}) where ${head()}`
  const anew = [
    `update audit_events set actor_id = 'x' where ${at(5)}`,
    ...Array.from({ length: rows - 4 }, (_, more) => digestAnew(5 + more)),
    `update audit_heads set digest = (select digest from audit_events where ${at(rows)}) where ${head()}`,
  ].join('; ')
  // The limits of a chain without an anchor.
  expect((await verified(cut)).firstBreak).toBeNull()
  expect((await verified(anew)).firstBreak).toBeNull()
  expect((await verified(cut, kept.sequence!, kept.digest)).firstBreak).toEqual({
    sequence: rows,
    reason: 'missing',
  })
  expect((await verified(anew, kept.sequence!, kept.digest)).firstBreak).toEqual({
    sequence: rows,
    reason: 'edited',
  })
})

test('the command names the workspace and the sequence, takes lines of an earlier run, and continues', async () => {
  const { tenantId } = merchant
  const run = async (wanted: Parameters<typeof verifyAudit>[1]) => {
    const lines: string[] = []
    const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows
    const broken = await verifyAudit(query, { workspace: tenantId, ...wanted }, (line) => lines.push(line))
    return { broken, lines }
  }
  await client.query('savepoint command; set local role spindle_auth')
  const { head: kept } = await verified()
  const line = `${tenantId} intact ${rows} ${kept.digest}`
  expect(await run({})).toEqual({ broken: 0, lines: [line] })
  expect(await run({ after: { tenantId, sequence: 10 } })).toEqual({ broken: 0, lines: [line] })
  expect(await run({ after: { tenantId, sequence: null } })).toEqual({ broken: 0, lines: [] })
  for (const spelled of [keyOf(tenantId), tenantId.slice(0, -1), `tn_${tenantId.slice(3).toUpperCase()}`]) {
    await expect(run({ workspace: spelled })).rejects.toThrow('is no id of a workspace')
    await expect(run({ after: { tenantId: spelled, sequence: null } })).rejects.toThrow(
      'is no id of a workspace',
    )
  }
  await expect(run({ workspace: `tn_61${'0'.repeat(30)}` })).rejects.toThrow('There is no workspace')
  const logged = JSON.stringify({ place: 'audit', id: tenantId, what: `7 ${'0'.repeat(64)}` })
  const anchors = anchorsIn(`${line}\nno line of ours\n${logged}\n`)
  expect(anchors.map(({ sequence }) => sequence)).toEqual([rows, 7])
  expect(await run({ anchors: anchors.slice(0, 1) })).toEqual({ broken: 0, lines: [line] })
  expect(await run({ anchors })).toEqual({ broken: 1, lines: [`${tenantId} BROKEN at 7: edited`] })
  await client.query(`reset role; delete from audit_events where ${at(20)}; set local role spindle_auth`)
  expect(await run({})).toEqual({ broken: 1, lines: [`${tenantId} BROKEN at 20: missing`] })
  await client.query('rollback to command')
})
