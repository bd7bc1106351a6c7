import { AsyncLocalStorage } from 'node:async_hooks'
import type { DBAdapter, Where } from '@better-auth/core/db/adapter'
import { tokenDigest } from './session.ts'

/*
 * better-auth stores session tokens in plain text. This layer between it and its database adapter shows the database
 * only digests and the library only tokens: it hashes tokens on the way in, in rows and in conditions, and turns
 * digests back on the way out when this request brought the token. Other sessions (of a list) keep their digest in
 * place of a token, which opens nothing, and may be named by it in a later condition (revoke). The table refuses
 * anything but a digest, so a path missed here fails closed.
 */

const held = new AsyncLocalStorage<Map<string, string>>()

/** Runs one request's work, within which tokens can be turned back from their digests. */
export const holdingTokens = <T>(work: () => Promise<T>): Promise<T> => held.run(new Map(), work)

/** Changes `adapter` in place: the library keeps notes about the instance. */
export function storeTokensByDigest(adapter: DBAdapter): DBAdapter {
  const { create, findOne, findMany, count, update, updateMany, deleteMany, consumeOne, incrementOne } =
    adapter
  const remove = adapter.delete

  const overrides: Pick<
    DBAdapter,
    | 'create'
    | 'findOne'
    | 'findMany'
    | 'count'
    | 'update'
    | 'updateMany'
    | 'delete'
    | 'deleteMany'
    | 'consumeOne'
    | 'incrementOne'
    | 'transaction'
  > = {
    create: async (call) =>
      restore(call.model, await create({ ...call, data: await hashRow(call.model, call.data) })),
    findOne: async (call) => restore(call.model, await findOne(await hashed(call))),
    findMany: async <T>(call: Parameters<typeof findMany>[0]) => {
      const rows = await findMany<T>(await hashed(call))
      return rows.map((row) => restore(call.model, row))
    },
    count: async (call) => count(await hashed(call)),
    update: async (call) =>
      restore(
        call.model,
        await update({ ...(await hashed(call)), update: await hashRow(call.model, call.update) }),
      ),
    updateMany: async (call) =>
      updateMany({ ...(await hashed(call)), update: await hashRow(call.model, call.update) }),
    delete: async (call) => remove(await hashed(call)),
    deleteMany: async (call) => deleteMany(await hashed(call)),
    consumeOne: async (call) => restore(call.model, await consumeOne(await hashed(call))),
    incrementOne: async (call) => restore(call.model, await incrementOne(await hashed(call))),
    // The factory's own uses the inner adapter. Neon over HTTP has no interactive transaction: see identity.md.
    transaction: (work) => work(adapter),
  }
  return Object.assign(adapter, overrides)
}

async function hashed<Call extends { model: string; where?: Where[] | undefined }>(
  call: Call,
): Promise<Call> {
  if (call.model !== 'session' || !call.where) return call
  const where = await Promise.all(
    call.where.map(async (condition) => {
      if (condition.field !== 'token') return condition
      const { value } = condition
      const values = Array.isArray(value) ? await Promise.all(value.map(digestOf)) : await digestOf(value)
      return { ...condition, value: values as Where['value'] }
    }),
  )
  return { ...call, where }
}

async function hashRow<Row>(model: string, row: Row): Promise<Row> {
  if (model !== 'session' || !row || typeof row !== 'object' || !('token' in row)) return row
  return { ...row, token: await digestOf(row.token) }
}

async function digestOf(token: unknown): Promise<unknown> {
  if (typeof token !== 'string' || isDigest(token)) return token
  const digest = await tokenDigest(token)
  held.getStore()?.set(digest, token)
  return digest
}

function restore<Row>(model: string, row: Row): Row {
  if (model !== 'session' || !row || typeof row !== 'object' || !('token' in row)) return row
  const token = held.getStore()?.get(String(row.token))
  return token === undefined ? row : { ...row, token }
}

const isDigest = (value: string) => /^[0-9a-f]{64}$/.test(value)
