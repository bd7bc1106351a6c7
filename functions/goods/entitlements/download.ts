import type { Settings } from '../../../src/env/settings.ts'
import { others } from '../../../src/http/access/kinds.ts'
import { Problem } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { decryptSecret } from '../../../src/platform/encryption.ts'
import { filesIn, type StoredFile } from '../../../src/platform/files.ts'
import { Refused } from '../../../src/platform/postgres.ts'
import { download } from './contract.ts'
import { deliveredFolder } from './contract-goods.ts'
import { type DownloadAddress, downloadEnds, downloadPath, openDownload } from './download-address.ts'
import { downloadsLeft, planDownload, refusalOfDownload } from './plan.ts'
import { codeContext, keyContext } from './secrets.ts'
import { type CountedFile, type Granted, type GrantedRow, grantedById, storedFilesFor } from './store.ts'

/** What a buyer got, as the receipt shows it. */
export interface Delivered {
  readonly kind: GrantedRow['kind']
  readonly itemName: string
  readonly state: 'ready' | 'pending' | 'revoked' | 'expired' | 'redeemed' | 'used_up'
  /** Its key or code; null where it has none, or the buyer cannot have it now. */
  readonly code: string | null
  readonly expiresAt: Date | null
  readonly downloads: readonly {
    readonly name: string
    readonly bytes: number
    readonly path: string
    /** How often it may still be downloaded; null: as often as wanted. */
    readonly left: number | null
  }[]
}

/** What a payment granted, for the buyer who holds its receipt: keys and codes in the clear, downloads for an hour. */
export const deliveredOf = (settings: Settings, [granted, files]: Granted, now: Date): Promise<Delivered[]> =>
  Promise.all(
    granted.map(async (row) => {
      const own = files.filter(({ entitlementId }) => entitlementId === row.id)
      const state = stateOf(row, own, now)
      const isHad = state === 'ready' || state === 'redeemed'
      return {
        kind: row.kind,
        itemName: row.itemName,
        state,
        code: isHad ? await codeOf(settings, row) : null,
        expiresAt: row.expiresAt,
        downloads:
          state === 'ready' ? await Promise.all(own.map((file) => downloadOf(settings, row, file, now))) : [],
      }
    }),
  )

function stateOf(row: GrantedRow, files: readonly CountedFile[], now: Date): Delivered['state'] {
  const refused = refusalOfDownload(row, files, now)?.refused
  if (refused === 'entitlement_not_active') return row.status === 'revoked' ? 'revoked' : 'pending'
  if (refused === 'entitlement_expired') return 'expired'
  if (refused === 'downloads_used_up') return 'used_up'
  return row.redeemedAt === null ? 'ready' : 'redeemed'
}

async function codeOf({ secretsKeys }: Settings, row: GrantedRow): Promise<string | null> {
  if (row.codeCiphertext !== null) return decryptSecret(secretsKeys, codeContext(row.id), row.codeCiphertext)
  return row.keyId === null ? null : decryptSecret(secretsKeys, keyContext(row.keyId), row.keyCiphertext!)
}

const downloadOf = async (settings: Settings, row: GrantedRow, file: CountedFile, now: Date) => ({
  name: file.name,
  bytes: file.bytes,
  path: await downloadPath(settings, row.catalogPublicId, {
    entitlementId: row.id,
    fileId: file.id,
    validUntil: downloadEnds(now).getTime(),
  }),
  left: downloadsLeft(row, file),
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
    const queries = [
      grantedById({ id: named.entitlementId }),
      storedFilesFor({ id: named.entitlementId }),
    ] as const
    const found = await services.db.read(download.id, credential, queries).catch((error: unknown) => {
      if (error instanceof Refused && error.sqlState === 'SP404') return null
      throw error
    })
    const [[row], files] = found?.rows ?? [[], []]
    const file = files.find(({ id }) => id === named.fileId)
    if (!row || !file) return 'not_found'
    const refused = refusalOfDownload(row, [file], now)?.refused
    if (refused) return reasons[refused]
    // Opened before it is counted: a bucket that fails costs the buyer no download.
    const opened = await filesIn(services.bucket).get(`${deliveredFolder}/${file.address}`)
    if (!opened) return 'not_found'
    try {
      const plan = planDownload(row, file.id, clockOf(now))
      await publishPlan(services, { operation: download.id, credential, requestId, now }, plan)
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
