import * as z from 'zod'
import { deviceLanguages } from '../../../drizzle/schema/terminal-configurations.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { boundedMinor, currency, freeText, minorString, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { tipBpsMax } from '../../order/lines/api-pure.ts'
import { configurationLifecycle } from './lifecycle.ts'

/** Presets of tips that a device offers. */
export const presetsMax = 4
/** How long a device may keep a payment that it took without a network. */
const storedHoursMax = 72

const some = boundedMinor.refine((text) => BigInt(text) > 0n, 'must be more than zero')

/** One tip that is offered. */
export const tipPreset = z.union([
  z.strictObject({
    bps: z
      .int()
      .min(1)
      .max(tipBpsMax)
      .describe('A part of `amount` in basis points, rounded half up: 1000 is 10 %.'),
  }),
  z.strictObject({ amount: some.describe('An amount in minor units, at most `amount`.') }),
])

const tipsText = 'The tips that devices offer where your till names none; null: your till says.'
const tips = z
  .strictObject({
    presets: z.array(tipPreset).max(presetsMax).describe('What is offered, in this order.'),
    allows_other: z.boolean().describe('Whether the buyer may type an amount: at most `amount`.'),
    allows_none: z.boolean().describe('Whether the buyer may give none.'),
  })
  .refine(
    ({ presets, allows_other }) => allows_other || presets.length > 0,
    'must offer a preset, or allow another amount',
  )
  .nullable()

const languages = z
  .array(z.enum(deviceLanguages))
  .min(1)
  .max(deviceLanguages.length)
  .refine((list) => new Set(list).size === list.length, 'must name each language once')
  .describe('What a buyer may read at the device; the first is shown first.')

const offlineText =
  'What readers may take while they have no network, at your risk: a card that is declined later is your loss. It is replaced as a whole.'
const offlineShown = {
  enabled: z.boolean().describe('Whether readers take cards while they have no network.'),
  currency: currency.describe('The only currency that is taken then.'),
  amount_max: minorString.describe('The most of one payment, tip included; minor units.'),
  stored_amount_max: minorString.describe(
    'The most of all that one reader stores before it forwards; minor units. Each allowance is held to it by itself.',
  ),
  stored_hours_max: z
    .int()
    .min(1)
    .max(storedHoursMax)
    .describe(
      'For how many hours a reader stores payments without having heard of us: the reader alone holds that. We take what it stored for so long after its allowance has ended.',
    ),
}
const offline = z
  .strictObject({
    ...offlineShown,
    amount_max: some.describe('The most of one payment, tip included; minor units.'),
    stored_amount_max: some.describe(
      'The most of all that one reader stores before it forwards; minor units. At least `amount_max`. Each allowance is held to it by itself.',
    ),
  })
  .refine(({ amount_max, stored_amount_max }) => BigInt(amount_max) <= BigInt(stored_amount_max), {
    message: 'must be at least `amount_max`',
    path: ['stored_amount_max'],
  })

const status = z
  .enum(statusesOf(configurationLifecycle))
  .describe('`archived` ones are kept, and say nothing to the devices that name them.')
const name = freeText(120)
  .trim()
  .min(1)
  .describe('Unique among the active configurations, in any case of letters.')

const Configuration = shown('terminal_configuration', {
  status,
  name,
  tips: tips.describe(tipsText),
  languages,
  offline: z.strictObject(offlineShown).describe(offlineText),
}).meta({ id: 'TerminalConfiguration' })

const noOffline = {
  enabled: false,
  currency: 'mxn',
  amount_max: '50000',
  stored_amount_max: '500000',
  stored_hours_max: 24,
}
const fields = {
  name,
  tips: tips.describe(tipsText),
  languages,
  offline: offline.describe(offlineText),
}
const body = {
  name: 'Mostradores',
  tips: { presets: [{ bps: 1000 }, { bps: 1500 }], allows_other: true, allows_none: true },
  languages: ['es-MX', 'en'] as const,
  offline: { ...noOffline, enabled: true },
}

const exampleConfiguration = exampleOf('terminal_configuration', '0190a6d2-7c3e-7b1a-9f00-000000000068', {
  status: 'active' as const,
  ...body,
})

/** What a device gets of it. */
export const configurationTold = {
  id: uuid,
  version: z.int().min(1).describe('Grows with each change.'),
  tips: tips.describe(tipsText),
  languages,
}
export const exampleTold = {
  id: exampleConfiguration.id,
  version: 1,
  tips: body.tips,
  languages: body.languages,
}

const allowanceFields = {
  id: uuid.describe('Named and signed in each payment that is stored under it.'),
  currency,
  amount_max: minorString.describe('The most of one payment, tip included; minor units.'),
  stored_amount_max: minorString.describe('The most of all that is stored under it; minor units.'),
  stored_hours_max: z
    .int()
    .min(1)
    .describe(
      'For how many hours the reader stores payments without having heard of us: it must hold that itself. After the end of the allowance what it stored is taken for so long.',
    ),
}
/** What a reader may store without a network. */
export const OfflineAllowance = z.strictObject(allowanceFields).meta({ id: 'OfflineAllowance' })

export const exampleAllowance = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000069',
  currency: 'mxn',
  amount_max: '50000',
  stored_amount_max: '500000',
  stored_hours_max: 24,
}

const configurations = resource({
  tag: 'Terminal',
  path: '/v1/terminal/configurations',
  reads: { api_key: { scopes: ['terminal:read'] } },
  writes: { api_key: { scopes: ['terminal:write'] } },
  tables: ['terminal_configurations'],
  notFound: 'terminal_configuration_not_found',
  versioned: true,
  schema: Configuration,
  example: exampleConfiguration,
})

export const create = configurations.create({
  id: 'terminal_configurations.create',
  summary: 'Create a configuration of devices',
  description:
    'A location or a device names it as its `terminal_configuration_id`; of both, what the device names counts. A device learns it with its next question for an action.',
  body: z.strictObject({
    name,
    tips: tips.default(null).describe(tipsText),
    languages: languages.default([...deviceLanguages]),
    offline: offline.default(noOffline).describe(offlineText),
  }),
  errors: ['terminal_configuration_name_taken', 'payment_method_unavailable', 'currency_unsupported'],
  example: body,
})

export const list = configurations.list({
  id: 'terminal_configurations.list',
  summary: 'List the configurations of devices',
  filters: { status: status.optional().describe('Only what has this status.') },
})

export const get = configurations.get({
  id: 'terminal_configurations.get',
  summary: 'Get a configuration of devices',
})

export const update = configurations.update({
  id: 'terminal_configurations.update',
  summary: 'Change a configuration of devices',
  description:
    'Fields that are left out stay. What a reader has stored already is held against what it was allowed when it stored it.',
  fields,
  errors: [
    'terminal_configuration_archived',
    'terminal_configuration_name_taken',
    'payment_method_unavailable',
    'currency_unsupported',
  ],
  example: { name: 'Terrazas' },
})

export const archive = configurations.move('archive', {
  id: 'terminal_configurations.archive',
  summary: 'Archive a configuration of devices',
  description: 'The devices that name it have no configuration then, and store nothing.',
  errors: ['terminal_configuration_archived'],
  example: { status: 'archived', version: 2 },
})
