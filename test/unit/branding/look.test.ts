import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unbranded } from '../../../drizzle/schema/tenants.ts'
import { planUpdate } from '../../../functions/page/branding/plan.ts'
import type { BrandedRow } from '../../../functions/page/branding/store.ts'
import { contrast, mix, stands } from '../../../src/kernel/colors.ts'
import { darkPalette, lightPalette, ours } from '../../../src/kernel/look.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'

test('contrast is that of WCAG 2.2', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
  expect(contrast('#777777', '#ffffff').toFixed(2)).toBe('4.48')
  expect(contrast('#767676', '#ffffff').toFixed(2)).toBe('4.54')
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080')
})

const now = new Date('2026-06-13T12:00:00Z')
const tenant: BrandedRow = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000041',
  version: 4,
  status: 'active',
  name: 'Café Azul SA de CV',
  branding: null,
  updatedAt: now,
}
const place = { now, newId: () => 'id', environment: 'sandbox' as const, linkBaseUrl: 'pay.spindle.test' }
const update = (asked: object, branding: BrandedRow['branding'] = null) =>
  planUpdate({ ...tenant, branding }, asked, place)

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const optional = fc.option(color)

test('whatever colors are taken: text and icons can be read in light and in dark', () => {
  let taken = 0
  const look = fc.record({
    primary_color: optional,
    button_text_color: optional,
    background_color: fc.option(fc.constantFrom('#ffffff', '#fff7ed', '#eef2ff')),
    accent_color: optional,
  })
  fc.assert(
    fc.property(look, (asked) => {
      const plan = update(asked)
      if (isRefusal(plan)) return
      taken += 1
      const [light, dark] = [lightPalette(plan.reply as never), darkPalette(plan.reply as never)]
      if (!light || !dark) return
      const { sheet, sunk, page, onAccent } = ours.dark
      expect(
        stands(light.accent, [light.page, '#ffffff', ours.light.sunk, light.accentWash, light.onAccent], 4.5),
      ).toBe(true)
      expect(stands(light.accentStrong, [light.accentWash], 4.5)).toBe(true)
      expect(stands(light.onButton, [light.button, light.buttonStrong], 4.5)).toBe(true)
      expect(stands(ours.light.soft, [light.page], 4.5)).toBe(true)
      expect(stands(dark.accent, [sheet, sunk, page, dark.accentWash, onAccent], 4.5)).toBe(true)
      expect(stands(dark.accentStrong, [dark.accentWash], 4.5)).toBe(true)
      expect(stands(dark.onButton, [dark.button, dark.buttonStrong], 4.5)).toBe(true)
      expect(contrast(dark.button, sheet)).toBeGreaterThanOrEqual(3)
    }),
    { numRuns: 500 },
  )
  expect(taken).toBeGreaterThan(50)
})

describe('colors in which text cannot be read are refused, with the ratio and a color that can', () => {
  test.each([
    [
      { primary_color: '#facc15', button_text_color: '#ffffff' },
      'button_text_color',
      'The contrast of button_text_color on primary_color is 1.53:1; 4.5:1 is needed. Use #000000 for the text, or #8c720c for the button.',
    ],
    [
      { background_color: '#1f2937' },
      'background_color',
      'The contrast of our gray text on background_color is 2.31:1; 4.5:1 is needed. Use #dbdddf or a lighter one.',
    ],
    [
      { accent_color: '#38bdf8' },
      'accent_color',
      'The contrast of accent_color on white is 2.14:1; 4.5:1 is needed. Use #23759a or a darker one.',
    ],
  ])('%j', (asked, param, message) => {
    expect(update(asked)).toEqual({ refused: 'branding_contrast_too_low', param, message })
    const better = /Use (#[0-9a-f]{6}) or/.exec(message)?.[1]
    if (better) expect(isRefusal(update({ [param]: better }))).toBe(false)
  })

  test('also with a color that was set before, and with one that is only left', () => {
    const before = { ...unbranded, button_text_color: '#ffffff', primary_color: '#000000' }
    expect(update({ primary_color: '#ffffff' }, before)).toMatchObject({ param: 'primary_color' })
    expect(isRefusal(update({ primary_color: null }, before))).toBe(false)
    expect(isRefusal(update({ primary_color: '#ffffff', button_text_color: null }, before))).toBe(false)
  })
})

test('a change keeps what it does not name, and its event says what was before', () => {
  const before = { ...unbranded, brand_name: 'Azul', primary_color: '#1d4ed8' }
  const plan = update({ brand_name: null }, before)
  if (isRefusal(plan)) throw new Error('refused')
  expect(plan.reply).toMatchObject({ brand_name: null, primary_color: '#1d4ed8', version: 5 })
  expect(plan.events).toMatchObject([
    { type: 'branding.updated', resourceId: tenant.id, previousAttributes: { brand_name: 'Azul' } },
  ])
})
