import { operation } from '../../../src/http/operation.ts'
import { formatMoney } from '../../../src/kernel/format.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { activeOwners, confirmedOwners } from '../../account/mails/api.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { discountsOf } from '../../order/lines/api.ts'
import { soldAgain } from './catalog-item.ts'
import * as contracts from './contract-share.ts'
import { isFixed, whatOf } from './lines.ts'
import { problemOfItems } from './making.ts'
import { linkOrigin } from './origin.ts'
import { planDuplicate } from './plan-duplicate.ts'
import { planSend } from './plan-send.ts'
import { type LinkRow, links } from './store.ts'

const urlOf = ({ publicId: id }: LinkRow, linkBaseUrl: string) => `https://${linkBaseUrl}/${id}`

const svgFile = operation(contracts.qrSvg, async ({ params, read, fail, settings }) => {
  const [link] = await read(links.at(params.id))
  if (!link) return fail('payment_link_not_found')
  const { qrSvg } = await import('../../../src/platform/qr.ts')
  return new Blob([qrSvg(urlOf(link, settings.linkBaseUrl), link.publicId)]).stream()
})

const scale = 12

/** Loaded with the first picture: few isolates draw one. */
const drawing = () =>
  Promise.all([import('../../../src/platform/qr.ts'), import('../../../src/platform/png.ts')])

const pngFile = operation(contracts.qrPng, async ({ params, read, fail, settings }) => {
  const [link] = await read(links.at(params.id))
  if (!link) return fail('payment_link_not_found')
  const [{ qrModules }, { pngOf }] = await drawing()
  return pngOf(qrModules(urlOf(link, settings.linkBaseUrl)), scale)
})

const words = { 'es-MX': 'Paga aquí', en: 'Pay here' } as const

/** What is paid for, and the amount where it is fixed. */
function textOf(link: LinkRow, url: string, locale: keyof typeof words): string {
  const amount = isFixed(link) ? formatMoney(link.amountMinor, link.currency, locale) : ''
  const said = [whatOf(link), amount].filter((part) => part !== '').join(': ')
  return `${said === '' ? '' : `${said}. `}${words[locale]}: ${url}`
}

const shareLink = operation(contracts.share, async ({ params, query, read, fail, settings }) => {
  const [link] = await read(links.at(params.id))
  if (!link) return fail('payment_link_not_found')
  const url = urlOf(link, settings.linkBaseUrl)
  const text = textOf(link, url, query.locale)
  return {
    object: 'payment_link_share' as const,
    url,
    text,
    whatsapp_url: `https://wa.me/?text=${encodeURIComponent(text)}`,
    sms_url: `sms:?&body=${encodeURIComponent(text)}`,
  }
})

const duplicateLink = operation(contracts.duplicate, async (call) => {
  requireConfigured(call.settings)
  const [link] = await call.read(links.at(call.params.id))
  if (!link) return call.fail('payment_link_not_found')
  const { now, newId, settings } = call
  const unsold = await problemOfItems(call.read, link, now)
  if (unsold) return call.publish(unsold)
  const schedule = currentSchedule(settings, now, link.currency)
  const asked = link.discounts.map(({ discount_id }) => ({ discount_id }))
  const made = {
    publicId: publicId(linkOrigin.publicIdPrefix),
    item: soldAgain(link),
    lines: link.lines,
    found: await discountsOf(call.read, asked, link.customerId),
    passwordHash: link.passwordHash,
    templateId: link.templateId,
  }
  const making = { now, newId, linkBaseUrl: settings.linkBaseUrl }
  return publishUnderPolicy(call, link.locationId, (governing) =>
    planDuplicate(link, made, schedule, { ...making, ...governing }),
  )
})

const sendLink = operation(contracts.send, async (call) => {
  const [[link], owners] = await call.readAll(links.at(call.params.id), activeOwners({}))
  if (!link) return call.fail('payment_link_not_found')
  const confirmed = await confirmedOwners(call.settings, owners, call.now)
  const sent = await call.publish(
    confirmed ? planSend(link, call.body, confirmed, call) : refuse('email_not_confirmed'),
  )
  call.services.sendMails()
  return sent
})

export const shareOperations = [svgFile, pngFile, shareLink, duplicateLink, sendLink]
