import { expect, test, vi } from 'vitest'
import { takeDownload } from '../../../functions/goods/entitlements/download.ts'
import {
  downloadEnds,
  downloadPath,
  openDownload,
} from '../../../functions/goods/entitlements/download-address.ts'
import type { Settings } from '../../../src/env/settings.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'

const settings = { signingSecrets: { current: '1', byVersion: { 1: 'signs' } } } as unknown as Settings
const reading = () => {
  throw new Fault('the database was asked')
}
const services = { settings, db: { read: reading } } as unknown as Parameters<typeof takeDownload>[0]
const catalog = publicId('scat')
const addressOf = async (validUntil: number) => {
  const path = await downloadPath(settings, catalog, { entitlementId: 'e', fileId: 'f', validUntil })
  const [, at, token] = /^\/downloads\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  return { catalog: at!, token: token! }
}

test('a download works for an hour, and an altered address never: neither is asked for', async () => {
  const now = Date.now()
  expect(downloadEnds(new Date(now)).getTime() - now).toBe(3_600_000)
  expect(await takeDownload(services, 'req', await addressOf(now - 1))).toBe('late')
  const address = await addressOf(now + 60_000)
  const { token } = address
  await expect(takeDownload(services, 'req', address)).rejects.toThrow('the database was asked')
  for (const at of [0, 20, token.length - 2]) {
    const altered = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    expect(await takeDownload(services, 'req', { catalog, token: altered }), `${at}`).toBe('not_found')
  }
  const elsewhere = { catalog: publicId('scat', 'b'), token }
  expect(await takeDownload(services, 'req', elsewhere)).toBe('not_found')
  const others = { signingSecrets: { current: '1', byVersion: { 1: 'other' } } } as unknown as Settings
  expect(await openDownload(others, address)).toBeNull()
})

test('a file whose download is not counted is not left open', async () => {
  const now = Date.now()
  const row = {
    id: 'e',
    itemId: 'i',
    status: 'active',
    downloadsCount: 0,
    downloadsMax: 3,
    catalogPublicId: catalog,
  }
  const file = { id: 'f', itemId: 'i', status: 'stored', address: 'a', name: 'a.pdf' }
  const cancel = vi.fn()
  const body = new ReadableStream({ cancel })
  const failing = {
    settings,
    bucket: { get: async () => ({ body, size: 1, etag: 'e' }) },
    db: {
      read: async () => ({ rows: [[row], [file]] }),
      publish: async () => {
        throw new OutcomeUnknown('the count was not made')
      },
    },
  } as unknown as Parameters<typeof takeDownload>[0]
  await expect(takeDownload(failing, 'req', await addressOf(now + 60_000))).rejects.toThrow()
  expect(cancel).toHaveBeenCalledTimes(1)
})
