import { join } from 'node:path'
import type { Operation } from '../src/http/operation.ts'
import { exportOf, kinds, routes } from './declarations.ts'
import { PROJECT } from './project.ts'

// Only for tools and tests, from what the areas declare: the Worker loads each area with its first request.

const exported = async ([path, name]: readonly [path: string, name: string]) =>
  ((await import(join(PROJECT, path))) as Record<string, unknown>)[name]

const origins = Object.fromEntries(
  await Promise.all(
    Object.entries(kinds).flatMap(([kind, part]) =>
      part.origin ? [exported(exportOf(part, part.origin)).then((origin) => [kind, origin] as const)] : [],
    ),
  ),
)
const sold = { facts: async () => Object.values(origins), at: async () => origins, all: async () => origins }
const given = { origins, sold, identity: () => ({}) }

async function operationsOf({
  path,
  name,
  given: wanted,
}: (typeof routes)[number]): Promise<readonly Operation[]> {
  const made = await exported([path, name])
  if (typeof made !== 'function') return made as readonly Operation[]
  return made(wanted && given[wanted]).operations ?? []
}

/** Every operation of the interface. Rights in the database, OpenAPI and the test matrix read this list. */
export const operations: readonly Operation[] = (await Promise.all(routes.map(operationsOf))).flat()
