import { others } from '../../../../src/http/access/kinds.ts'
import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import { type Ctx, framed, localeOf, reading, statePageOf } from '../../../page/hosted-payment/api.ts'
import { view } from '../contract-tables.ts'
import { tableAt } from '../store.ts'
import { noBill } from '../words.ts'

/** Where a table's printed code leads: to the page of the bill that is open at it. */
async function toBill(c: Ctx): Promise<Response> {
  const publicId = c.req.param('table')!
  const services = c.get('services')
  const locale = localeOf(c)
  const found = await reading(services, () =>
    services.db.read(view.id, others.public_id(publicId), [tableAt({ publicId })]),
  )
  const [table] = found?.rows[0] ?? []
  if (!table) return statePageOf(c, { state: 'not_found' }, locale)
  c.header('Cache-Control', 'no-store')
  if (table.bill !== null) return c.redirect(withLocale(`/${table.bill}`, locale), 302)
  const merchantName = table.branding?.brand_name ?? table.workspaceName
  return statePageOf(
    c,
    { state: 'own', look: ['clock', 'calm'], words: noBill[locale], merchantName },
    locale,
    404,
  )
}

export function tablePages(): Hono<Env> {
  const table = '/m/:table{stable_[a-z0-9]{32}}'
  const app = new Hono<Env>()
  app.use('/m/*', ...framed)
  app.get(table, (c) => toBill(c as Ctx))
  app.all(table, () => {
    throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
  })
  app.all('/m/*', (c) => statePageOf(c as Ctx, { state: 'not_found' }))
  return app
}
