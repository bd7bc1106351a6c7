import pg from 'pg'

/** The key by which rows name a workspace (drizzle/schema/columns.ts), of its id. */
export const keyOf = (tenantId: string): string =>
  tenantId.replace(/^tn_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const idOf = (key: string): string => `tn_${key.replaceAll('-', '')}`

const isId = (value: unknown): value is string => typeof value === 'string' && /^tn_[0-9a-f]{32}$/.test(value)

const bound = (value: unknown): unknown =>
  isId(value) ? keyOf(value) : Array.isArray(value) ? value.map(bound) : value

const textOf = (text: string): string => text.replace(/(?<=')tn_[0-9a-f]{32}(?=')/g, keyOf)

const uuidType = 2950

const send = pg.Client.prototype.query as (this: pg.Client, ...asked: readonly unknown[]) => unknown

class ClientByIds extends pg.Client {
  override query(asked: unknown, values?: unknown, ...rest: readonly unknown[]): never {
    const answered = send.call(this, sentOf(asked), bound(values), ...rest)
    return (answered instanceof Promise ? answered.then(withIds) : answered) as never
  }
}

/**
 * Postgres for tests, which name a workspace as its merchant does: an id that is a whole value, or a whole literal of the
 * text, is sent as its key, and keys in columns of workspaces are answered as ids.
 */
export const Client = ClientByIds as unknown as typeof pg.Client

function sentOf(asked: unknown): unknown {
  if (typeof asked === 'string') return textOf(asked)
  const { text, values } = asked as { text?: unknown; values?: unknown }
  if (typeof text !== 'string' || asked instanceof pg.Query) return asked
  return { ...(asked as object), text: textOf(text), values: bound(values) }
}

function withIds(answer: pg.QueryResult | readonly pg.QueryResult[]) {
  for (const { fields = [], rows = [] } of [answer].flat() as pg.QueryResult[])
    fields.forEach(({ name, dataTypeID }, at) => {
      if (dataTypeID !== uuidType || !name.includes('tenant')) return
      for (const row of rows) {
        const key = Array.isArray(row) ? at : name
        if (row[key] !== null) row[key] = idOf(row[key])
      }
    })
  return answer
}
