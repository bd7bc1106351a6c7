import type * as z from 'zod'
import type { Settings } from '../env/settings.ts'
import type { BoundQuery } from '../platform/query.ts'
import type { Contract } from './contract.ts'
import { type Call, type Operation, operation, type Within } from './operation.ts'
import { metadataOf, type Page, type Position, type Window } from './pagination.ts'

type Asked<P extends z.ZodType, Q extends z.ZodType> = Pick<
  Call<z.output<P>, z.output<Q>, unknown, unknown>,
  'params' | 'query' | 'kid' | 'now' | 'fail'
>

interface More<P extends z.ZodType, Q extends z.ZodType> {
  /** Values of the store's query beside the filters of the same name. */
  readonly values?: (call: Asked<P, Q>) => Readonly<Record<string, unknown>>
  /** The parent resource in the path. */
  readonly within?: (params: z.output<P>) => Within
}

/** A list, newest first, in pages: each filter `of_this` fills the slot `ofThis` of the store's query. One round trip. */
export const listOperation = <
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  Row extends Position,
  Shown,
>(
  contract: Contract<P, Q, B, z.ZodType<Page<Shown>>>,
  page: (values: Window & Readonly<Record<string, unknown>>) => BoundQuery<Row>,
  present: (row: Row, settings: Settings) => Shown,
  { values, within }: More<P, Q> = {},
): Operation =>
  operation(contract, (call) => {
    const filters = { ...filtersOf(call.query as Readonly<Record<string, unknown>>), ...values?.(call) }
    return call.list(
      (window) => page({ ...filters, ...window }),
      (row) => present(row, call.settings),
      within?.(call.params),
    )
  })

function filtersOf({ limit: _, cursor: __, metadata, ...query }: Readonly<Record<string, unknown>>) {
  const filters: Record<string, unknown> = metadataOf(
    metadata as Readonly<Record<string, string>> | undefined,
  )
  for (const name in query)
    filters[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())] = query[name]
  return filters
}

/** One resource by the id in its path, or the contract's `notFound`. One round trip. */
export const getOperation = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Row, Shown>(
  contract: Contract<P, Q, B, z.ZodType<Shown>>,
  query: (params: z.output<P>, call: Asked<P, Q>) => BoundQuery<Row>,
  present: (row: Row, settings: Settings) => Shown,
): Operation =>
  operation(contract, async (call) => {
    const [row] = await call.read(query(call.params, call))
    return row === undefined ? call.fail(contract.notFound!) : present(row, call.settings)
  })
