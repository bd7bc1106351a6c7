import type { OriginFacts } from '../functions/money/payments/api-pure.ts'
import type { HostedOrigins } from '../functions/page/hosted-payment/api.ts'
import { type InBackground, identityOf, servicesOf } from './compose.ts'
import { areasOf } from './generated/areas.ts'
import { type Area, serve } from './http/areas.ts'
import { files } from './http/files.ts'

export type LoadOrigins = () => Promise<HostedOrigins>

/** What lists of payments say of what is sold. */
export type LoadFacts = () => Promise<readonly OriginFacts[]>

export const loadOrigins: LoadOrigins = async () => (await import('./generated/origins.ts')).origins

export const loadFacts: LoadFacts = async () => (await import('./generated/origin-facts.ts')).originFacts

/** What belongs to no area. */
const documents: Area = {
  at: ['/', '/assets', '/docs', '/favicon.ico', '/openapi.json', '/robots.txt'],
  load: async () => files,
}

const toPeople = async () =>
  (await import('../functions/page/hosted-payment/pages/frame/frame.ts')).problemPage

/** All areas, where these origins are for sale. */
export const areasSelling = (origins: LoadOrigins, facts: LoadFacts): readonly Area[] => [
  ...areasOf(origins, facts, identityOf),
  documents,
]

/** The Worker's `fetch`. */
export const createApp = (inBackground: InBackground, origins: LoadOrigins, facts: LoadFacts) =>
  serve(areasSelling(origins, facts), (env) => servicesOf(env, inBackground), toPeople)
