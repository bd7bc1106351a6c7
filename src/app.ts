import type { OriginFacts } from '../functions/money/payments/api-pure.ts'
import type { HostedOrigin, SoldHere } from '../functions/page/hosted-payment/api.ts'
import { type InBackground, identityOf, servicesOf } from './compose.ts'
import { areasOf } from './generated/areas.ts'
import { type Area, serve } from './http/areas.ts'
import { files } from './http/files.ts'

type Origins = Readonly<Record<string, () => Promise<HostedOrigin>>>

/** What is sold by these origins, by their kind, each of which has its facts. */
export function soldBy(
  origins: () => Promise<Origins>,
  facts: () => Promise<readonly OriginFacts[]>,
): SoldHere {
  async function load(isWanted: (kind: string) => boolean) {
    const wanted = Object.entries(await origins()).filter(([kind]) => isWanted(kind))
    const loaded = wanted.map(async ([kind, loadIt]) => [kind, await loadIt()] as const)
    return Object.fromEntries(await Promise.all(loaded))
  }
  return {
    facts,
    async at(publicId) {
      const kinds = (await facts()).filter(({ publicIdPrefix }) => publicId.startsWith(`${publicIdPrefix}_`))
      return load((kind) => kinds.some((each) => each.kind === kind))
    },
    all: () => load(() => true),
  }
}

export const sold: SoldHere = soldBy(
  async () => (await import('./generated/origins.ts')).origins,
  async () => (await import('./generated/origin-facts.ts')).originFacts,
)

/** What belongs to no area. */
const documents: Area = {
  at: ['/', '/assets', '/docs', '/favicon.ico', '/openapi.json', '/robots.txt'],
  load: async () => files,
}

const toPeople = async () =>
  (await import('../functions/page/hosted-payment/pages/frame/frame.ts')).problemPage

/** All areas, where this is sold. */
export const areasSelling = (what: SoldHere): readonly Area[] => [...areasOf(what, identityOf), documents]

/** The Worker's `fetch`. */
export const createApp = (inBackground: InBackground, what: SoldHere) =>
  serve(areasSelling(what), (env) => servicesOf(env, inBackground), toPeople)
