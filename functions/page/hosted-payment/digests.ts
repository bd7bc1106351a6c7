import type { Services } from '../../../src/http/services.ts'
import { mailboxOf } from '../../../src/kernel/email.ts'
import { digestsOf } from '../../../src/platform/crypto.ts'

/** A keyed digest by which tries are counted. Under the oldest key: during a rotation all Workers have it. */
export const digestOf = async ({ settings }: Pick<Services, 'settings'>, text: string): Promise<string> =>
  (await digestsOf(settings.signingSecrets, 'unpaid_hold', text))[0]!

export const digestOfNetwork = (services: Pick<Services, 'settings'>, network: string) =>
  digestOf(services, `network ${network}`)
export const digestOfAddress = (services: Pick<Services, 'settings'>, address: string) =>
  digestOf(services, `address ${mailboxOf(address)}`)
