import type { Settings } from '../../../src/env.ts'
import { fromBase64Url, seal, toBase64Url, unseal } from '../../../src/platform/crypto.ts'
import { downloadMinutes } from './contract.ts'

/** What an address of a download names. */
export interface Download {
  readonly catalogPublicId: string
  readonly entitlementId: string
  readonly fileId: string
  /** Milliseconds. */
  readonly validUntil: number
}

export const downloadEnds = (now: Date) => new Date(now.getTime() + downloadMinutes * 60_000)

/** The path of a download, signed. It holds ids only. */
export const downloadPath = async ({ signingSecrets }: Settings, named: Download): Promise<string> =>
  `/downloads/${toBase64Url(await seal(signingSecrets, 'download', JSON.stringify(named)))}`

/** Null for what is not signed by us. Whether it is still valid, the caller compares. */
export async function openDownload({ signingSecrets }: Settings, token: string): Promise<Download | null> {
  const sealed = fromBase64Url(token)
  const json = sealed === null ? null : await unseal(signingSecrets, 'download', sealed)
  return json === null ? null : (JSON.parse(json) as Download)
}
