import type { Settings } from '../../../src/env/settings.ts'
import { others } from '../../../src/http/access/kinds.ts'
import { Problem } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { decryptSecret } from '../../../src/platform/encryption.ts'
import { filesIn, type StoredFile } from '../../../src/platform/files.ts'
import { Refused } from '../../../src/platform/postgres.ts'
import { download } from './contract.ts'
import { deliveredFolder } from './contract-goods.ts'
import { type DownloadAddress, downloadEnds, downloadPath, openDownload } from './download-address.ts'
import { planDownload, refusalOfDownload } from './plan.ts'
import { codeContext, keyContext } from './secrets.ts'
import { type FileRow, fileById, type Granted, type GrantedRow, grantedById } from './store.ts'

/** What a buyer got, as the receipt shows it. */
export interface Delivered {
  readonly kind: GrantedRow['kind']
  readonly itemName: string
  readonly state: 'ready' | 'pending' | 'revoked' | 'expired' | 'redeemed' | 'used_up'
  /** Its key or code; null where it has none, or the buyer cannot have it now. */
  readonly code: string | null
  readonly expiresAt: Date | null
  /** How often it may still be downloaded; null: as often as wanted. */
  readonly downloadsLeft: number | null
  readonly downloads: readonly { readonly name: string; readonly bytes: number; readonly path: string }[]
}

/** What a payment granted, for the buyer who holds its receipt: keys and codes in the clear, downloads for an hour. */
export const deliveredOf = (settings: Settings, [granted, files]: Granted, now: Date): Promise<Delivered[]> =>
  Promise.all(
    granted.map(async (row) => {
      const state = stateOf(row, now)
      const isHad = state === 'ready' || state === 'redeemed'
      const own =
        state === 'ready' && row.kind === 'file' ? files.filter(({ itemId }) => itemId === row.itemId) : []
      return {
        kind: row.kind,
        itemName: row.itemName,
        state,
        code: isHad ? await codeOf(settings, row) : null,
        expiresAt: row.expiresAt,
        downloadsLeft: row.downloadsMax === null ? null : row.downloadsMax - row.downloadsCount,
        downloads: await Promise.all(own.map((file) => downloadOf(settings, row, file, now))),
      }
    }),
  )

function stateOf(row: GrantedRow, now: Date): Delivered['state'] {
  const refused = refusalOfDownload(row, now)?.refused
  if (refused === 'entitlement_not_active') return row.status === 'revoked' ? 'revoked' : 'pending'
  if (refused === 'entitlement_expired') return 'expired'
  if (refused === 'downloads_used_up') return 'used_up'
  return row.redeemedAt === null ? 'ready' : 'redeemed'
}

async function codeOf({ secretsKeys }: Settings, row: GrantedRow): Promise<string | null> {
  if (row.codeCiphertext !== null) return decryptSecret(secretsKeys, codeContext(row.id), row.codeCiphertext)
  return row.keyId === null ? null : decryptSecret(secretsKeys, keyContext(row.keyId), row.keyCiphertext!)
}

const downloadOf = async (settings: Settings, row: GrantedRow, { id, name, bytes }: FileRow, now: Date) => ({
  name,
  bytes,
  path: await downloadPath(settings, row.catalogPublicId, {
    entitlementId: row.id,
    fileId: id,
    validUntil: downloadEnds(now).getTime(),
  }),
})

export type RefusedDownload = 'not_found' | 'late' | 'revoked' | 'expired' | 'used_up'

/** The file that a signed address names, counted; or why the buyer does not get it. */
export async function takeDownload(
  services: Services,
  requestId: string,
  address: DownloadAddress,
): Promise<{ readonly file: StoredFile; readonly name: string } | RefusedDownload> {
  const now = new Date()
  const named = await openDownload(services.settings, address)
  if (!named) return 'not_found'
  if (named.validUntil <= now.getTime()) return 'late'
  const credential = others.public_id(address.catalog)
  return onFreshRows(5, async () => {
    const queries = [grantedById({ id: named.entitlementId }), fileById({ id: named.fileId })] as const
    const found = await services.db.read(download.id, credential, queries).catch((error: unknown) => {
      if (error instanceof Refused && error.sqlState === 'SP404') return null
      throw error
    })
    const [[row], [file]] = found?.rows ?? [[], []]
    if (!row || !file || file.itemId !== row.itemId || file.status !== 'stored') return 'not_found'
    const refused = refusalOfDownload(row, now)?.refused
    if (refused) return reasons[refused]
    // Opened before it is counted: a bucket that fails costs the buyer no download.
    const opened = await filesIn(services.bucket).get(`${deliveredFolder}/${file.address}`)
    if (!opened) return 'not_found'
    try {
      await publishPlan(services, { operation: download.id, credential, requestId, now }, planDownload(row))
    } catch (error) {
      await opened.body.cancel().catch(() => {})
      if (error instanceof Problem && error.code in reasons)
        return reasons[error.code as keyof typeof reasons]
      throw error
    }
    return { file: opened, name: file.name }
  })
}

const reasons = {
  entitlement_not_active: 'revoked',
  entitlement_expired: 'expired',
  downloads_used_up: 'used_up',
} as const
