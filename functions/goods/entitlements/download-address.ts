import type { Settings } from '../../../src/env/settings.ts'
import { fromBase64Url, seal, toBase64Url, unseal } from '../../../src/platform/crypto.ts'
import { downloadMinutes } from './contract.ts'

/** What an address of a download names beside the catalog. */
export interface Download {
  readonly entitlementId: string
  readonly fileId: string
  /** Milliseconds. */
  readonly validUntil: number
}

export const downloadEnds = (now: Date) => new Date(now.getTime() + downloadMinutes * 60_000)

/** The last parts of a download's path. */
export interface DownloadAddress {
  /** The public id of the item's catalog: it says which pod has the file. */
  readonly catalog: string
  readonly token: string
}

const purposeOf = (catalog: string) => `download ${catalog}`

/** The path of a download, signed. It holds ids only. */
export async function downloadPath(
  { signingSecrets }: Settings,
  catalog: string,
  named: Download,
): Promise<string> {
  const sealed = await seal(signingSecrets, purposeOf(catalog), JSON.stringify(named))
  return `/downloads/${catalog}/${toBase64Url(sealed)}`
}

/** Null for what is not signed by us. Whether it is still valid, the caller compares. */
export async function openDownload(
  { signingSecrets }: Settings,
  { catalog, token }: DownloadAddress,
): Promise<Download | null> {
  const sealed = fromBase64Url(token)
  const json = sealed === null ? null : await unseal(signingSecrets, purposeOf(catalog), sealed)
  return json === null ? null : (JSON.parse(json) as Download)
}
