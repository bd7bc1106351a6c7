import { globSync } from 'node:fs'
import { join } from 'node:path'
import type {
  ConstraintMeaning,
  Declaration,
  DeclaredError,
  DeclaredEvent,
  DeclaredLimit,
  Events,
  Exported,
  Job,
  Kind,
  Routes,
} from '../src/http/declaration.ts'
import { type CommonCode, type ProblemCode, problems } from '../src/http/problems.ts'
import type { DeclaredMail } from '../src/kernel/declared-mail.ts'
import { advice } from './docs/advice.ts'
import { PROJECT } from './project.ts'

// Only for tools and tests: the Worker loads no declaration.

/** What every area declares, by the area's folder: `money/payments`, in the order of the areas' own names. */
export const declarations: ReadonlyMap<string, Declaration> = new Map(
  await Promise.all(
    globSync('functions/*/*/area.ts', { cwd: PROJECT })
      .map((path) => path.split('/').slice(1, 3))
      .sort(([, one], [, other]) => (one! < other! ? -1 : 1))
      .map(async ([group, name]): Promise<[string, Declaration]> => {
        const folder = `${group}/${name}`
        const { area } = (await import(join(PROJECT, 'functions', folder, 'area.ts'))) as {
          area: Declaration
        }
        return [folder, area]
      }),
  ),
)

const all = [...declarations.values()]

/** The part of every declaration, in the order of the areas' names. */
export const declared = <T>(part: (area: Declaration) => readonly T[] | undefined): readonly T[] =>
  all.flatMap((area) => part(area) ?? [])

/** The named parts of these declarations as one record. @throws Error where two areas declare the same name */
export function merged<T>(
  what: string,
  part: (area: Declaration) => Readonly<Record<string, T>> | undefined,
  areas: readonly Declaration[] = all,
) {
  const entries = areas.flatMap((area) => Object.entries(part(area) ?? {}))
  const names = entries.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`Two areas declare the ${what} ${twice}.`)
  return Object.fromEntries(entries) as Readonly<Record<string, T>>
}

/** The errors that areas declare. */
export const areaErrors: Readonly<Record<string, DeclaredError>> = merged('error', ({ errors }) => errors)

/** Every error of the interface. */
export const errors = {
  ...Object.fromEntries(
    Object.entries(problems).map(([code, [status, message]]) => [
      code,
      { status, message, advice: advice[code as CommonCode] },
    ]),
  ),
  ...areaErrors,
} as Readonly<Record<ProblemCode, DeclaredError>>

/** Their codes, in the order in which openapi.json lists them. */
export const errorCodes = Object.keys(errors) as ProblemCode[]

export const constraints: Readonly<Record<string, ConstraintMeaning>> = merged(
  'constraint',
  (area) => area.constraints,
)
/** The scheduled jobs in the order in which they run. */
export const jobs: readonly (readonly [string, Job])[] = Object.entries(
  merged('job', (area) => area.jobs),
).sort(([, a], [, b]) => a.at - b.at)

export const kinds: Readonly<Record<string, Kind>> = merged('kind', (area) => area.kinds)

/** Where an area exports what its declaration names: path and name. */
export function exportOf(part: Job | Kind, exported: Exported): readonly [path: string, name: string] {
  const [area] = [...declarations].find(([, { jobs = {}, kinds = {} }]) =>
    [...Object.values(jobs), ...Object.values(kinds)].includes(part),
  )!
  return placeOf(area, exported)
}

function placeOf(area: string, exported: Exported): readonly [path: string, name: string] {
  const [file, name] = exported.split('#')
  return [`functions/${area}/${file}`, name!]
}

/** The routes of every area, each with the path and the name of what makes them. */
export const routes: readonly (Routes & {
  readonly path: string
  readonly name: string
  readonly readsAt?: readonly [path: string, name: string]
})[] = [...declarations].flatMap(([area, { routes = [] }]) =>
  routes.map((each) => {
    const [path, name] = placeOf(area, each.by)
    return { ...each, path, name, ...(each.reads && { readsAt: placeOf(area, each.reads) }) }
  }),
)

export const limits: Readonly<Record<string, DeclaredLimit>> = merged('limit', (area) => area.limits)
export const nouns: Readonly<Record<string, string>> = merged('noun', (area) => area.nouns)
/** Every mail, by its kind. */
export const mails: Readonly<Record<string, DeclaredMail>> = merged('mail', (area) => area.mails)
export const events: Readonly<Record<string, Events>> = merged('events', (area) => area.events)

/** Every type of event, `payment.created`, with its declaration. */
export const eventTypes: Readonly<Record<string, DeclaredEvent>> = Object.fromEntries(
  Object.entries(events).flatMap(([resource, { types }]) =>
    Object.entries(types).map(([action, type]) => [
      `${resource}.${action}`,
      typeof type === 'string' ? { says: type } : type,
    ]),
  ),
)
