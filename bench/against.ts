import { availableParallelism, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildWorkers } from '../local/build.ts'
import { PROJECT } from '../local/project.ts'
import { startStack } from '../local/stack.ts'
import { type Asked, type First, firstRequests } from './cold-start.ts'
import {
  type Figures,
  type LoadProcess,
  measure,
  median,
  medians,
  type Rounds,
  type Scenario,
  startLoad,
} from './interleave.ts'
import { LINK, newMerchant } from './merchant.ts'
import { BUYERS, openLink, payments } from './money.ts'
import { type Bare, startBare } from './workerd.ts'
import { activeMsOf, bundleSizes } from './workers.ts'

/** What a checkout runs itself with: this one's own modules, or those of the other one. */
type Checkout = {
  folder: string
  startStack: typeof startStack
  buildWorkers: typeof buildWorkers
  newMerchant: typeof newMerchant
  openLink: typeof openLink
  payments: typeof payments
}

type Side = { name: string; scenarios: Scenario[]; start: () => Promise<Bare>; asked: readonly Asked[] }
type Shapes = Record<'near' | 'money', Parameters<typeof measure>[2]> & { isolates: number; starts: number }

/**
 * Measures this checkout against another one (its packages installed) in the same rounds: list, create, card
 * payment and the page of a link, first requests, start-up, bundle. This checkout runs twice, in two processes: how far the two differ is the
 * noise of the run. Prints a table.
 */
export async function against(otherFolder: string, scratch: string, shapes: Shapes): Promise<void> {
  const loadBefore = loadavg()[0] ?? 0
  const here = { folder: PROJECT, startStack, buildWorkers, newMerchant, openLink, payments }
  const other = await checkoutIn(resolve(otherFolder))
  const ends: (() => Promise<void>)[] = []
  const load = startLoad()
  try {
    const built = { now: await here.buildWorkers(), before: await other.buildWorkers() }
    const [now, again] = await sidesOf(here, ['now', 'now again'], scratch, ends)
    const [before] = await sidesOf(other, ['before'], scratch, ends)
    const sides = [before!, now!, again!]
    const rounds = await measuredRounds(load, sides, shapes)
    const first = await interleavedFirst(sides.slice(0, 2), shapes.isolates)
    const startUp = await interleavedStartUp(other.folder, here.folder, scratch, shapes.starts)
    const lines = [
      ...['list', 'create', 'payment', 'page'].flatMap((what) => roundLines(what, rounds)),
      ...first.map(({ what, before: was, now: is }) =>
        timeLine(`first request in a new isolate: ${what}`, was, is),
      ),
      timeLine('start-up, active', startUp.before, startUp.now),
      bundleLine(bundleSizes(built.before.sandbox), bundleSizes(built.now.sandbox)),
    ]
    const head =
      '| | before | now | now / before | now again / now (noise) |\n| --- | --: | --: | --: | --: |'
    const loads = [loadBefore, loadavg()[0] ?? 0].map((each) => each.toFixed(1))
    process.stdout.write(
      `\n${[head, ...lines].join('\n')}\n\n${availableParallelism()} processors; load average ${loads[0]} before, ${loads[1]} after.\n`,
    )
  } finally {
    load.stop()
    for (const end of ends.reverse()) await end()
  }
}

async function checkoutIn(folder: string): Promise<Checkout> {
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href)
  const [stack, build, merchant, money] = await Promise.all(
    ['local/stack.ts', 'local/build.ts', 'bench/merchant.ts', 'bench/money.ts'].map(load),
  )
  return { folder, ...stack, ...build, ...merchant, ...money } as Checkout
}

/** One stack of the checkout, and a workerd for each name. */
async function sidesOf(
  checkout: Checkout,
  names: readonly string[],
  scratch: string,
  ends: (() => Promise<void>)[],
): Promise<Side[]> {
  const stack = await checkout.startStack()
  ends.push(() => stack.stop())
  const { sandbox } = await checkout.buildWorkers()
  const merchant = (links: number) => checkout.newMerchant(stack.sandbox.directUrl, 'Bench', links)
  const [reader, writer, seller] = [await merchant(40), await merchant(0), await merchant(0)]
  const sides: Side[] = []
  for (const name of names) {
    const start = () => startBare(sandbox, stack.sandbox.vars, join(scratch, name.replaceAll(' ', '-')))
    const ours = await start()
    ends.push(() => ours.stop())
    const till = { stack, ours }
    const paying = await checkout.payments(`payment ${name}`, till, [await checkout.openLink(till, seller)])
    const headers = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` })
    const links = `${ours.url}/v1/payment-links`
    sides.push({
      name,
      start: () =>
        startBare(sandbox, stack.sandbox.vars, join(scratch, `${name.replaceAll(' ', '-')}-first`)),
      asked: ['/v1/nothing', '/v1/payment-links', '/v1/payment-operations/payments'].map((path) => ({
        what: path,
        path,
        headers: headers(reader.apiKey),
      })),
      scenarios: [
        {
          name: `list ${name}`,
          load: { url: links, method: 'GET', headers: headers(reader.apiKey), expectedStatus: 200 },
          worker: ours,
        },
        {
          name: `create ${name}`,
          load: {
            url: links,
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...headers(writer.apiKey) },
            requests: [{ body: JSON.stringify(LINK) }],
            expectedStatus: 201,
          },
          worker: ours,
        },
        // An older checkout has one card for all buyers; their networks are those of now.
        { ...paying, load: { ...paying.load, headers: BUYERS }, worker: ours },
        {
          name: `page ${name}`,
          load: {
            url: `${ours.url}/${await checkout.openLink(till, seller)}`,
            method: 'GET',
            headers: {},
            expectedStatus: 200,
          },
          worker: ours,
        },
      ],
    })
  }
  return sides
}

/** One kind of request after another, the sides side by side within each. */
async function measuredRounds(load: LoadProcess, sides: readonly Side[], shapes: Shapes): Promise<Rounds> {
  let rounds: Rounds = {}
  for (const [at, shape] of [shapes.near, shapes.near, shapes.money, shapes.near].entries())
    rounds = {
      ...rounds,
      ...(await measure(
        load,
        sides.map(({ scenarios }) => scenarios[at]!),
        shape,
      )),
    }
  return rounds
}

/** Least CPU of several isolates, the sides in turn. */
async function interleavedFirst([before, now]: readonly Side[], isolates: number) {
  const taken: Record<'before' | 'now', First[][]> = { before: [], now: [] }
  for (let isolate = 0; isolate < isolates; isolate++) {
    taken.before.push(await firstRequests(before!.start, before!.asked, 1))
    taken.now.push(await firstRequests(now!.start, now!.asked, 1))
  }
  const least = (runs: First[][], at: number) => Math.min(...runs.map((run) => run[at]!.firstMs))
  return now!.asked.map(({ what }, at) => ({
    what,
    before: least(taken.before, at),
    now: least(taken.now, at),
  }))
}

async function interleavedStartUp(beforeFolder: string, nowFolder: string, scratch: string, runs: number) {
  const least = { before: Infinity, now: Infinity }
  const activeMs = (folder: string) => activeMsOf(scratch, folder, '--args=--env sandbox')
  for (let run = 0; run < runs; run++) {
    least.before = Math.min(least.before, await activeMs(beforeFolder))
    least.now = Math.min(least.now, await activeMs(nowFolder))
  }
  return least
}

/** What the sides are compared by: a line each. */
const compared: readonly (readonly [what: string, unit: string, of: (figures: Figures) => number])[] = [
  ['CPU of the Worker', 'µs', ({ cpuMicros }) => cpuMicros],
  ['CPU of Postgres', 'µs', ({ postgresMicros }) => postgresMicros],
  ['p50', 'µs', ({ p50Ms }) => p50Ms * 1000],
  ['rate', '/s', ({ perSecond }) => perSecond],
]

function roundLines(what: string, rounds: Rounds): string[] {
  const [before, now, again] = ['before', 'now', 'now again'].map((side) => rounds[`${what} ${side}`]!)
  return compared.map(([name, unit, of]) => {
    const shown = (figures: readonly Figures[]) => `${of(medians(figures)).toFixed(0)} ${unit}`
    const ratios = (one: readonly Figures[], other: readonly Figures[]) => {
      const each = one.map((figures, round) => of(figures) / of(other[round]!))
      return `${median(each).toFixed(2)} (${Math.min(...each).toFixed(2)}–${Math.max(...each).toFixed(2)})`
    }
    const cells = [shown(before!), shown(now!), ratios(now!, before!), ratios(again!, now!)]
    return `| ${what}, ${name} | ${cells.join(' | ')} |`
  })
}

const timeLine = (what: string, before: number, now: number) =>
  `| ${what} | ${before.toFixed(1)} ms | ${now.toFixed(1)} ms | ${(now / before).toFixed(2)} | |`

function bundleLine(before: { atStartGzip: number }, now: { atStartGzip: number }): string {
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  const ratio = (now.atStartGzip / before.atStartGzip).toFixed(2)
  return `| loaded at start-up, gzip | ${kib(before.atStartGzip)} | ${kib(now.atStartGzip)} | ${ratio} | |`
}
