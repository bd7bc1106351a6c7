import { globSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../local/project.ts'
import type { Contract } from '../../src/http/contract.ts'
import type { Customer } from '../support/customer.ts'
import type { Link, Merchant } from '../support/merchant.ts'

/** A tenant with everything that a caller of any operation needs: an API key, and a customer who owns it. */
export type World = { merchant: Merchant; customer: Customer }

/** A request as data, so that a test can spoil one part of it. */
export type Request = {
  method: Contract['method']
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: Record<string, unknown> | undefined
  /** In place of a body, where the operation takes a file. */
  file?: string | undefined
}

export type ListWorld = World & { link: Link }

/** A list that has pages: where it is, and how it gets another row. */
export type List = {
  bearer: (world: ListWorld) => string
  path: (world: ListWorld) => string
  add: (world: ListWorld) => Promise<unknown>
}

/**
 * What the contract tests need of an area beyond its examples and declared samples: `samples` of
 * test/contract/areas/<area>.ts.
 */
export interface AreaSamples {
  /** Makes what a path is about, by the beginning of the path: the longest that fits. */
  readonly makers?: Readonly<Record<string, (world: World) => Promise<string>>>
  /** By operation: what it needs where it has no resource of its own. */
  readonly prepare?: Readonly<Record<string, (world: World, ready: Request) => Promise<void>>>
  /** By operation: where a fresh resource or the example's body would not do. */
  readonly arrange?: Readonly<Record<string, (world: World, ready: Request, id: string) => Promise<void>>>
  readonly lists?: Readonly<Record<string, List>>
}

const areas = await Promise.all(
  globSync('test/contract/areas/*.ts', { cwd: PROJECT }).map(
    async (path) => ((await import(join(PROJECT, path))) as { samples: AreaSamples }).samples,
  ),
)

const merged = <T>(part: (area: AreaSamples) => Readonly<Record<string, T>> | undefined) =>
  Object.assign({}, ...areas.map(part)) as Readonly<Record<string, T>>

export const prepare = merged((area) => area.prepare)
export const arrange = merged((area) => area.arrange)
export const listsOfAreas = merged((area) => area.lists)

const makers = Object.entries(merged((area) => area.makers)).sort(([a], [b]) => b.length - a.length)

export const makerAt = (path: string) => makers.find(([prefix]) => path.startsWith(prefix))?.[1]
