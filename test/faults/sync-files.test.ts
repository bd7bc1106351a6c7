import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { survivors } from '../support/books.ts'
import type { BucketStrike } from '../support/bucket.ts'
import { asked } from '../support/customers.ts'
import { beforeAndAfter, dies, diesOnce, killReconciler, type Strike } from '../support/drills.ts'
import { call, type Merchant, newMerchant } from '../support/merchant.ts'
import { adminSql, bucketHere, control, stack, trigger, withWorkerHere } from '../support/stack.ts'
import {
  ended,
  errorFile,
  moveSource,
  newFileSource,
  newSource,
  objectsOf,
  type Run,
  ran,
  startRun,
  swept,
  upload,
} from '../support/sync.ts'

const sql = adminSql('sandbox')
const text = 'id,correo\n1,ana@example.com\n2,none\n'
const counts = { status: 'partial', processed: 2, created: 1, failed: 1 }

const around = (contains: string, skip = 0) => beforeAndAfter.map(({ mode }) => ({ contains, skip, mode }))
const before = (contains: string, skip = 0) => ({ contains, skip, mode: 'hang' }) as const
const aroundFile = (file: BucketStrike['file'], skip = 0) =>
  beforeAndAfter.map(({ mode }) => ({ file, skip, mode }) as BucketStrike)

/** Kills the Worker in its call to the database or, where it is in this process, to the bucket. */
async function killed(strike: Strike | BucketStrike, work: () => Promise<unknown>): Promise<void> {
  if ('contains' in strike) await dies(strike, work)
  else await diesOnce(() => bucketHere()!.strike(strike).struck, work, JSON.stringify(strike))
}

/** Every boundary dies in process, those of the database with workerd too. */
async function drill<Kill extends Strike | BucketStrike>(
  name: string,
  kills: readonly Kill[],
  run: (kill: Kill) => Promise<unknown>,
) {
  await survivors(
    name,
    kills.filter((kill) => 'contains' in kill),
    run,
    (kill) => 'contains' in kill && kill.contains,
  )
  const files = kills.filter((kill) => 'file' in kill)
  if (files.length === 0) return
  await withWorkerHere(async () => {
    for (const kill of files) await run(kill)
  })
}

const filesOf = (id: string) =>
  sql<{ id: string; status: string }>(
    'select id, status from sync_files where source_id = $1 order by created_at',
    [id],
  )

/** Each file's status. The bucket has the stored file, and nothing of a removed one. */
async function leaves(id: string, ...statuses: string[]) {
  const files = await filesOf(id)
  expect(files.map(({ status }) => status)).toEqual(statuses)
  if (!bucketHere()) return
  const objects = await objectsOf(id)
  for (const file of files) {
    const own = objects.filter((key) => key.includes(file.id))
    if (file.status === 'removed') expect(own).toEqual([])
    else expect(own).toContain(`sync-files/${file.id}/file`)
  }
}

const uploads = [
  before('from "sync_sources"'),
  ...around('door.publish'),
  ...aroundFile('put'),
  { file: 'get', mode: 'hang' },
  before('from "sync_sources"', 1),
  ...around('door.publish', 1),
] as const

test('the Worker is killed over an upload: sent again the file is there, and nothing of the first try stays', async () => {
  await drill('Worker killed over an upload', uploads, async (kill) => {
    const merchant = await newMerchant()
    const id = await newSource(merchant, 'Spreadsheet', 'csv')
    await killed(kill, () => upload(merchant, id, text))
    expect((await upload(merchant, id, text)).status).toBe(200)
    await sql(`update sync_files set remove_at = now() where source_id = $1 and status = 'replaced'`, [id])
    await swept(id)
    const tries = (await filesOf(id)).length
    await leaves(id, ...['removed', 'stored'].slice(-tries))
    expect(await ran(merchant, id)).toMatchObject(counts)
  })
})

test('the Worker is killed with half a file: the next try is stored, and the first one removed', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant, 'Spreadsheet', 'csv')
  const sending = request(`${stack.sandbox.directUrl}/v1/customer-hub/sync-sources/${id}/file`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${merchant.apiKey}`,
      'content-type': 'text/csv',
      'content-length': 1e6,
    },
  })
  const ends = new Promise((resolve) => sending.on('error', resolve))
  sending.write(text.repeat(10))
  await expect.poll(async () => (await filesOf(id)).map(({ status }) => status)).toEqual(['uploading'])
  await control.crash('sandbox')
  await ends
  expect((await upload(merchant, id, text)).status).toBe(200)
  await swept(id)
  await leaves(id, 'removed', 'stored')
  expect(await ran(merchant, id)).toMatchObject(counts)
})

const starts = [before('from "sync_files"'), ...around('door.publish')]

test('the Worker is killed while a run is started: sent again, it is one run', async () => {
  await drill('Worker killed while a run is started', starts, async (kill) => {
    const merchant = await newMerchant()
    const id = await newFileSource(merchant, text)
    const headers = { 'idempotency-key': randomUUID() }
    const start = () =>
      call<Run>('POST', `/v1/customer-hub/sync-sources/${id}/runs`, {
        bearer: merchant.apiKey,
        body: {},
        headers,
      })
    await killed(kill, start)
    const { status, body } = await start()
    expect(status).toBe(201)
    expect(await ended(merchant, body.id)).toMatchObject(counts)
    expect(await sql('select from sync_runs where source_id = $1', [id])).toHaveLength(1)
  })
})

/** First its row says that it is being removed, then it goes with the errors of its runs, then its row says so. */
const removals = [
  ...[before('from "sync_files"'), ...around('door.publish')].map((kill) => ({ ...kill, isRemoving: false })),
  ...[
    before('from "sync_files"'),
    ...aroundFile('delete'),
    ...aroundFile('delete', 1),
    ...around('door.publish'),
  ].map((kill) => ({ ...kill, isRemoving: true })),
]

test('the Worker is killed while it removes a file: its row says so when all of it is gone, and not before', async () => {
  await drill('Worker killed while it removes a file', removals, async ({ isRemoving, ...kill }) => {
    const merchant = await newMerchant()
    const id = await newFileSource(merchant, text)
    const { id: run } = await ran(merchant, id)
    const due = () => sql('update sync_files set remove_at = now() where source_id = $1', [id])
    await due()
    if (isRemoving) await trigger('sandbox').then(due)
    await killed(kill, () => control.trigger('sandbox'))
    for (const { status } of await filesOf(id))
      if (status === 'removed') expect(await objectsOf(id)).toEqual([])
    await swept(id)
    await leaves(id, 'removed')
    expect(await errorFile(merchant, run)).toContain('sync_file_gone')
  })
})

test('the refused rows of a slice that was never published are removed with their file', () =>
  withWorkerHere(async () => {
    const merchant = await newMerchant()
    const id = await newFileSource(merchant, text)
    // What others left is done before, so that the first publish is the slice's.
    await trigger('sandbox')
    await startRun(merchant, id)
    await killReconciler(before('door.publish'))
    expect(await objectsOf(id)).toHaveLength(2)
    await moveSource(merchant, id, 'disconnect')
    await swept(id)
    await leaves(id, 'removed')
  }))

test.each([
  {
    what: 'its source is disconnected',
    happen: (merchant: Merchant, id: string) => moveSource(merchant, id, 'disconnect'),
  },
  {
    what: 'a person whom its source knows is erased',
    async happen(merchant: Merchant) {
      const of = `update customers set erase_at = now() - interval '1 second' where tenant_id = $1 returning id`
      const [customer] = await sql<{ id: string }>('select id from customers where tenant_id = $1', [
        merchant.tenantId,
      ])
      await asked(merchant, 'POST', `/customers/${customer!.id}/erase`)
      await sql(of, [merchant.tenantId])
      await trigger('sandbox')
    },
  },
])('a file that is still being uploaded when $what is not stored, and does not stay', ({ happen }) =>
  withWorkerHere(async () => {
    const merchant = await newMerchant()
    const id = await newFileSource(merchant, text)
    await ran(merchant, id)
    const put = bucketHere()!.strike({ file: 'put', mode: 'released' })
    const uploading = upload(merchant, id, text)
    await put.struck
    await happen(merchant, id)
    for (const _ of [1, 2, 3]) {
      // Two minutes go by.
      await sql(`update sync_files set remove_at = remove_at - interval '2 minutes' where source_id = $1`, [
        id,
      ])
      await trigger('sandbox')
    }
    put.release()
    expect((await uploading).status).toBe(409)
    await swept(id)
    await leaves(id, 'removed', 'removed')
  }),
)
