import { asks } from './devices.ts'
import { call, type Merchant } from './merchant.ts'

export interface Configuration {
  id: string
  status: string
  name: string
  tips: object | null
  languages: string[]
  offline: Record<string, unknown>
  version: number
  error?: { code: string; param: string | null }
}

const path = '/v1/terminal/configurations'

/** What a reader may take without a network, where a test says nothing else: 500.00 each, 2,000.00 in all. */
export const offline = {
  enabled: true,
  currency: 'mxn',
  amount_max: '50000',
  stored_amount_max: '200000',
  stored_hours_max: 24,
}

export const configures = (
  { apiKey }: Pick<Merchant, 'apiKey'>,
  method: 'GET' | 'POST' | 'PATCH',
  at = '',
  body?: object,
) => call<Configuration>(method, path + at, { bearer: apiKey, ...(body ? { body: body as never } : {}) })

/** A configuration with which readers store payments. */
export const newConfiguration = async (merchant: Merchant, fields: object = {}): Promise<Configuration> =>
  (await configures(merchant, 'POST', '', { name: `Of ${crypto.randomUUID()}`, offline, ...fields })).body

interface Told {
  configuration: { id: string; version: number; tips: object | null; languages: string[] } | null
}

/** What a device learns with its next question. */
export const told = async ({ credential }: { credential: string }) =>
  (await asks<Told>(credential, 'GET', '/v1/device/next-action')).body.configuration
