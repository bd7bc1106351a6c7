import type * as z from 'zod'
import { logos } from '../../../drizzle/schema/logos.ts'
import { type Branding, tenants, unbranded } from '../../../drizzle/schema/tenants.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { type Color, contrast, readable } from '../../../src/kernel/colors.ts'
import { event } from '../../../src/kernel/events.ts'
import { ours, textOn, textRatio } from '../../../src/kernel/look.ts'
import { change, type Plan, type Refusal, refuse, type Write } from '../../../src/kernel/plan.ts'
import { retired, type StoredFileRow, stored } from '../../../src/kernel/stored-files.ts'
import { noticeToOwners } from '../../account/mails/api-pure.ts'
import { isReviewed } from '../../account/workspace/api-pure.ts'
import type * as contracts from './contract.ts'
import { presentBranding } from './present.ts'
import type { BrandedRow, LogoRow } from './store.ts'

type Asked = z.output<NonNullable<typeof contracts.update.body>>

interface Place extends Clock {
  readonly environment: Environment
  readonly linkBaseUrl: string
}

/** Sets the named fields, if text can be read in the colors that result. */
export function planUpdate(tenant: BrandedRow, asked: Asked, place: Place) {
  const branding = { ...unbranded, ...tenant.branding, ...asked } as Branding
  const isRenamed = branding.brand_name !== (tenant.branding?.brand_name ?? null)
  if (isRenamed && isReviewed(tenant, place.environment))
    return refuse('workspace_details_reviewed', { param: 'brand_name' })
  return tooLow(branding, asked) ?? planChange(tenant, branding, [], place)
}

interface Uploaded {
  readonly logo: StoredFileRow
  readonly image: Omit<NonNullable<Branding['logo']>, 'address'>
}

/**
 * Shows the uploaded logo; the former one stays at its address for a while, for pages and mails that show it. The owners of
 * a business that we reviewed get a mail.
 */
export function planShow(
  tenant: BrandedRow,
  former: LogoRow | undefined,
  { logo, image }: Uploaded,
  place: Place,
) {
  const branding = { ...unbranded, ...tenant.branding, logo: { ...image, address: logo.address } }
  const { environment, now, newId } = place
  const data = { environment, at: now.toISOString() }
  const notices = isReviewed(tenant, environment) ? [noticeToOwners(newId(), 'logo_changed', data, now)] : []
  const writes = [...retire(former, now), stored(logos, logo, now), ...notices]
  return planChange(tenant, branding, writes, place)
}

export function planHide(tenant: BrandedRow, former: LogoRow | undefined, place: Place) {
  if (!former) return refuse('logo_not_found')
  const branding = { ...unbranded, ...tenant.branding, logo: null }
  return planChange(tenant, branding, retire(former, place.now), place)
}

const retire = (former: LogoRow | undefined, now: Date): Write[] =>
  former ? [retired(logos, former, now)] : []

function planChange(
  tenant: BrandedRow,
  branding: Branding,
  writes: readonly Write[],
  { now, newId, linkBaseUrl }: Place,
) {
  const after = presentBranding(
    { ...tenant, branding, version: tenant.version + 1, updatedAt: now },
    linkBaseUrl,
  )
  const before = presentBranding(tenant, linkBaseUrl)
  return {
    writes: [...writes, change(tenants, tenant, { branding, updatedAt: now })],
    events: [event(newId(), 'branding.updated', { type: 'branding', id: tenant.id }, after, before)],
    reply: after,
    subjectId: tenant.id,
  } satisfies Plan<unknown>
}

interface Pair {
  readonly field: keyof Asked
  readonly text: Color
  readonly on: Color
  readonly of: string
  /** What has enough. */
  readonly advice: string
}

/** The first pair of colors that text could not be read in. */
function tooLow(branding: Branding, asked: Asked): Refusal<'branding_contrast_too_low'> | null {
  const { primary_color, button_text_color, background_color, accent_color } = branding
  const pairs: Pair[] = []
  const page = background_color ?? ours.light.page
  if (button_text_color !== null) {
    const button = primary_color ?? ours.primary
    pairs.push({
      field: asked.button_text_color ? 'button_text_color' : 'primary_color',
      text: button_text_color,
      on: button,
      of: 'button_text_color on primary_color',
      advice: `Use ${textOn(button)} for the text, or ${readable(button, [button_text_color], textOn(button_text_color), textRatio)} for the button.`,
    })
  }
  if (background_color !== null)
    pairs.push({
      field: 'background_color',
      text: ours.light.soft,
      on: background_color,
      of: 'our gray text on background_color',
      advice: `Use ${readable(background_color, [ours.light.soft], ours.light.sheet, textRatio)} or a lighter one.`,
    })
  if (accent_color !== null)
    for (const [on, of] of [
      [ours.light.sheet, 'accent_color on white'],
      [page, 'accent_color on the background'],
    ] as const)
      pairs.push({
        field: asked.accent_color || !asked.background_color ? 'accent_color' : 'background_color',
        text: accent_color,
        on,
        of,
        advice: `Use ${readable(accent_color, [ours.light.sheet, page], '#000000', textRatio)} or a darker one.`,
      })
  const wrong = pairs.find(({ text, on }) => contrast(text, on) < textRatio)
  if (!wrong) return null
  // Rounded down: 4.499 is not 4.5.
  const ratio = (Math.floor(contrast(wrong.text, wrong.on) * 100) / 100).toFixed(2)
  return refuse('branding_contrast_too_low', {
    param: wrong.field,
    message: `The contrast of ${wrong.of} is ${ratio}:1; ${textRatio}:1 is needed. ${wrong.advice}`,
  })
}
