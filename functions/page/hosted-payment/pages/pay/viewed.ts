import type { OnSale } from '../../checkout-flow.ts'
import type { Ctx } from '../frame/frame.ts'

/** Programs that say so: crawlers, and what fetches a link to preview it in a chat. Cubot makes telephones. */
const programs =
  /(?<!cu)bot|crawl|spider|preview|externalhit|facebookcatalog|whatsapp|snippet|headless|lighthouse|scan|\(compatible;/i

/** Whether a person opened this address: not a program, a prefetch, or a step from one of our own pages. */
export function isOpening(method: string, header: (name: string) => string | undefined): boolean {
  const agent = header('user-agent') ?? ''
  const purpose = `${header('sec-purpose') ?? ''} ${header('purpose') ?? ''}`
  return (
    method === 'GET' &&
    agent.startsWith('Mozilla/') &&
    !programs.test(agent) &&
    !/prefetch|preview/i.test(purpose) &&
    header('sec-fetch-site') !== 'same-origin'
  )
}

/** Counts the opening of a sale's page beside it: the page neither waits for the count nor fails with it. */
export function countView(c: Ctx, { origin, sale }: OnSale): void {
  if (!origin.countView || !isOpening(c.req.method, (name) => c.req.header(name))) return
  c.executionCtx.waitUntil(origin.countView(c.get('services'), sale.publicId).catch(() => {}))
}
