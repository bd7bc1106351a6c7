import type { Import, Source } from './source.ts'

/** What breaks a rule, and where: `path:line: what is wrong`. */
export type Violation = { readonly path: string; readonly message: string }

export type Rule = (sources: readonly Source[]) => Violation[]

/** Each area's lifecycle.ts: the schema takes the statuses of its tables from there. */
const lifecycles = 'functions/*/*/lifecycle.ts'
const isLifecycle = (path: string) => /^functions\/[^/]+\/[^/]+\/lifecycle\.ts$/.test(path)

/** The groups of areas from the bottom up; those side by side do not know each other. */
const groupFloors: readonly (readonly string[])[] = [
  ['account'],
  ['money'],
  ['goods', 'people'],
  ['order'],
  ['page'],
  ['selling', 'in-person'],
  ['developer'],
  ['insight'],
]

/** The layers of the code from the bottom up, the rooms of a layer side by side. A room is a folder or a file. */
const floors: readonly (readonly string[])[] = [
  ['errors', 'event-fields', 'events', 'export-parts', 'kinds', 'limits', 'mail-kinds', 'paths'].map(
    (name) => `src/generated/${name}.ts`,
  ),
  ['src/kernel/'],
  [lifecycles],
  ['drizzle/schema/', 'drizzle/identity/'],
  ['src/env/'],
  ['src/platform/'],
  ['src/attestation/', 'src/ledger/', 'src/processors/'],
  ['src/http/'],
  ...groupFloors.map((groups) => groups.map((group) => `functions/${group}/`)),
  ['src/generated/mails.ts'],
  [
    'src/compose.ts',
    ...['areas', 'jobs', 'origin-facts', 'origins'].map((name) => `src/generated/${name}.ts`),
  ],
  ['src/app.ts'],
  ['src/handlers.ts'],
  ['src/worker.ts'],
]

const isHouse = (path: string) =>
  path.startsWith('src/') || path.startsWith('functions/') || placeOf(path) !== null

function placeOf(path: string): { floor: number; room: string } | null {
  for (const [floor, rooms] of floors.entries()) {
    if (isLifecycle(path) && rooms.includes(lifecycles)) return { floor, room: path }
    const room = rooms.find((name) => path === name || (name.endsWith('/') && path.startsWith(name)))
    if (room !== undefined) return { floor, room }
  }
  return null
}

/** `areaOf('functions/money/payments/plan.ts')` is `money/payments`. */
function areaOf(path: string): string | null {
  return /^functions\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? null
}

/**
 * Imports go to a lower layer or stay in the room; nothing in the product imports tests, benches or the local stack.
 */
export const downwardOnly: Rule = (sources) =>
  sources
    .filter(({ path }) => isHouse(path))
    .flatMap((source) => {
      const from = placeOf(source.path)
      if (!from) return [{ path: source.path, message: 'stands on no floor of the house' }]
      return source.imports.flatMap((item) => {
        if (item.path === null) return []
        const to = placeOf(item.path)
        if (to && (to.floor < from.floor || to.room === from.room)) return []
        return [at(source, item, `may not import ${item.path}: not a lower floor`)]
      })
    })

/** The kernel imports no package. */
export const kernelImportsNoPackage: Rule = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/kernel/'))
    .flatMap((source) =>
      source.imports
        .filter((item) => item.package !== null)
        .map((item) => at(source, item, `the kernel may not import ${item.specifier}`)),
    )

/** Inside an area only `store.ts` uses the database's library. */
export const drizzleInStoresOnly: Rule = (sources) =>
  sources
    .filter(({ path }) => areaOf(path) !== null && !path.endsWith('/store.ts'))
    .flatMap((source) =>
      source.imports
        .filter((item) => item.package === 'drizzle-orm')
        .map((item) => at(source, item, 'only store.ts may name drizzle-orm')),
    )

/** Only src/http, src/app.ts and pages name the web framework. */
export const honoInHttpOnly: Rule = (sources) =>
  sources
    .filter(
      ({ path }) =>
        isHouse(path) && !/^(src\/http\/|src\/app\.ts$|functions\/[^/]+\/[^/]+\/pages\/)/.test(path),
    )
    .flatMap((source) =>
      source.imports
        .filter((item) => item.package === 'hono' || item.package?.startsWith('@hono/'))
        .map((item) => at(source, item, `only src/http, src/app.ts and pages may name ${item.package}`)),
    )

/** What areas declare is for tools and tests: the Worker loads none of it. */
export const declarationsStayWithTools: Rule = (sources) =>
  sources
    .filter(({ path }) => isHouse(path) && !isDeclaration(path))
    .flatMap((source) =>
      source.imports
        .filter((item) => !item.typeOnly && item.path !== null && isDeclaration(item.path))
        .map((item) => at(source, item, `the Worker may not load ${item.path}`)),
    )

/** The schema of what every area builds on. */
const coreSchema = /^drizzle\/schema\/(columns|door|events|ledger|metadata|public-ids)\.ts$/

/** What every area shares: it is the same when an area is added. */
const isCore = (path: string, areas: readonly string[]) =>
  /^(src|local)\/|^test\/contract\/(listing|lists|requests|samples)\.ts$/.test(path)
    ? !/^src\/(generated\/|app\.ts$)/.test(path)
    : /^drizzle\/sql\/\d/.test(path) &&
      !areas.some((area) => new RegExp(`/\\d+_${area.split('/')[1]!.replaceAll('-', '_')}[_.]`).test(path))

/** Core files name no area: neither its folder, nor a path of its operations, nor in SQL one of its tables. */
export const coreNamesNoArea =
  (areas: readonly string[], generated: readonly string[]): Rule =>
  (sources) => {
    const tables = sources
      .filter(({ path }) => path.startsWith('drizzle/schema/') && !coreSchema.test(path))
      .flatMap(({ text }) => [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table]) => table!))
    const inCode = new RegExp(`functions/(${areas.join('|')})/|['"\`]/v1/[a-z]`)
    const inSql = new RegExp(`public\\.(${tables.join('|')})\\b|'(${tables.join('|')})'`)
    return sources
      .filter(({ path }) => isCore(path, areas) && !generated.includes(path))
      .flatMap(({ path, text }) => {
        const [named] = (path.endsWith('.sql') ? inSql : inCode).exec(text) ?? []
        return named ? [{ path, message: `names an area: ${named}` }] : []
      })
  }

const isDeclaration = (path: string) =>
  /^functions\/[^/]+\/[^/]+\/(area|errors)\.ts$/.test(path) || path === 'src/http/declaration.ts'

const pureFile = /^functions\/[^/]+\/[^/]+\/(contract|lifecycle|plan|present)(-[a-z-]+)?\.ts$/

/**
 * Contracts, lifecycles, plans and presenters run nothing of the platform, neither themselves nor through a neighbor
 * in their area. They may import its types, which are gone at run time.
 */
export const pureFilesTouchNoPlatform: Rule = (sources) => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return sources
    .filter(({ path }) => pureFile.test(path))
    .flatMap((pure) => {
      const violations: Violation[] = []
      const seen = new Set([pure.path])
      const queue = [pure]
      for (const source of queue) {
        for (const item of source.imports) {
          if (item.typeOnly) continue
          if (isPlatform(item)) {
            violations.push(at(source, item, `${name(pure.path)} touches the platform: ${item.specifier}`))
          }
          const next = item.path === null ? undefined : byPath.get(item.path)
          if (next && areaOf(next.path) !== null && !seen.has(next.path)) {
            seen.add(next.path)
            queue.push(next)
          }
        }
      }
      return violations
    })
}

function isPlatform(item: Import): boolean {
  if (item.path !== null) return item.path.startsWith('src/platform/') || item.path.startsWith('src/env/')
  return (
    item.package?.startsWith('node:') ||
    ['drizzle-orm', 'hono', '@neondatabase/serverless'].includes(item.package!)
  )
}

/** What an area lets others run, and which parts are pure enough for their contracts and plans. */
const doors = ['api.ts', 'api-pure.ts']

/** Areas meet at `api.ts`. Which may meet say the floors of their groups; inside a group they go in no circle. */
export const areasMeetAtApi: Rule = (sources) => {
  const violations: Violation[] = []
  const used = new Map<string, Set<string>>()
  for (const source of sources) {
    const area = areaOf(source.path)
    if (area === null) continue
    for (const item of source.imports) {
      const other = item.path === null ? null : areaOf(item.path)
      if (other === null || other === area) continue
      if (!doors.some((door) => item.path === `functions/${other}/${door}`)) {
        violations.push(at(source, item, `reaches into ${other}: import functions/${other}/api.ts`))
      }
      used.set(area, (used.get(area) ?? new Set()).add(other))
    }
  }
  const circle = circleIn(used)
  if (circle) violations.push({ path: 'functions', message: `circle: ${circle.join(' -> ')}` })
  return violations
}

/** Ways to the other side of a transfer: where they may not be taken, but by the files named last. */
const receiving: readonly (readonly [where: RegExp, way: RegExp, ...takers: string[]])[] = [
  [/^(src|functions)\//, /\bworkspace_is_open\(\$/, 'receiver.ts'],
  [/^(src|functions)\//, /\bplanReceive\(|\bcontracts\.receive\b/, 'receiver.ts', 'plan-receive.ts'],
  [/^(src|functions)\//, /\bincomingTransfers\b/, 'plan-receive.ts', 'store.ts'],
  [/^functions\/money\/transfers\//, /\bsystemCall\(/, 'receiver.ts'],
  [/^drizzle\/sql\//, /\bpublic\.incoming_transfers\b/],
  [
    /^drizzle\/schema\/transfers\.ts$/,
    /\b(refersTo|ofTenant|foreignKey)\([^)]*\b(destinationTenantId|source\w+Id)\b|\.references\(/,
  ],
]

/** The sides of a transfer may stand in two databases: only receiver.ts reaches the other one. */
export const transfersMeetAtReceiver: Rule = (sources) =>
  sources.flatMap(({ path, text }) =>
    receiving
      .filter(([where, way, ...takers]) => {
        const mayTake = takers.some((taker) => path === `functions/money/transfers/${taker}`)
        return where.test(path) && !mayTake && way.test(text)
      })
      .map(([, way]) => ({ path, message: `reaches the other side of a transfer: ${way.source}` })),
  )

/** No file needs itself to be loaded: files that do can be read together only. Types may refer to each other. */
export const noCircleOfFiles: Rule = (sources) => {
  const needed = new Map(
    sources.map(({ path, imports }) => [
      path,
      new Set(imports.flatMap((item) => (item.typeOnly || item.isLazy || !item.path ? [] : [item.path]))),
    ]),
  )
  const circle = circleIn(needed)
  return circle ? [{ path: circle[0]!, message: `circle: ${circle.join(' -> ')}` }] : []
}

function circleIn(used: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const sound = new Set<string>()
  const visit = (one: string, path: readonly string[]): string[] | null => {
    if (path.includes(one)) return [...path.slice(path.indexOf(one)), one]
    if (sound.has(one)) return null
    for (const other of used.get(one) ?? []) {
      const circle = visit(other, [...path, one])
      if (circle) return circle
    }
    sound.add(one)
    return null
  }
  for (const one of used.keys()) {
    const circle = visit(one, [])
    if (circle) return circle
  }
  return null
}

function at(source: Source, item: Import, message: string): Violation {
  return { path: source.path, message: `line ${item.line}: ${message}` }
}

function name(path: string): string {
  return path.split('/').slice(2).join('/')
}
