import { symmetricEncrypt } from 'better-auth/crypto'
import { describe, expect, test } from 'vitest'
import { decryptText, encryptText } from '../../../functions/account/auth/encryption.ts'
import { openBearer, signedAnew } from '../../../functions/account/auth/session.ts'
import type { VersionedKeys } from '../../../src/env/settings.ts'

const [one, two] = [
  'the first secret, of thirty-two characters',
  'the second secret, which is as long as that',
]
const first: VersionedKeys = { current: '1', byVersion: { 1: one } }
const both: VersionedKeys = { current: '2', byVersion: { 1: one, 2: two } }
const waiting: VersionedKeys = { ...both, current: '1' }
const second: VersionedKeys = { current: '2', byVersion: { 2: two } }

describe('encrypted texts', () => {
  test('bear the version that encrypted them', async () => {
    expect(await encryptText(first, 'text')).toMatch(/^[$]ba[$]1[$][0-9a-f]+$/)
    expect(await encryptText(waiting, 'text')).toMatch(/^[$]ba[$]1[$][0-9a-f]+$/)
    expect(await encryptText(both, 'text')).toMatch(/^[$]ba[$]2[$][0-9a-f]+$/)
  })

  test('decrypt under the version that encrypted them, whichever is current', async () => {
    const [old, anew] = [await encryptText(first, 'text'), await encryptText(both, 'text')]
    for (const keys of [first, waiting, both]) expect(await decryptText(keys, old)).toBe('text')
    for (const keys of [waiting, both, second]) expect(await decryptText(keys, anew)).toBe('text')
  })

  test('decrypt as the library encrypted them', async () => {
    const key = { keys: new Map([[1, one]]), currentVersion: 1 }
    expect(await decryptText(first, await symmetricEncrypt({ key, data: 'text' }))).toBe('text')
  })

  test('name the version that is missing or differs, and nothing else', async () => {
    const [old, anew] = [await encryptText(first, 'text'), await encryptText(both, 'text')]
    await expect(decryptText(second, old)).rejects.toThrow(
      'encrypted under version 1, which AUTH_SECRETS does not have',
    )
    await expect(decryptText(first, anew)).rejects.toThrow(
      'encrypted under version 2, which AUTH_SECRETS does not have',
    )
    await expect(decryptText({ current: '2', byVersion: { 2: one } }, anew)).rejects.toThrow(
      'version 2 of AUTH_SECRETS does not decrypt what was encrypted under it',
    )
  })
})

describe('signed values', () => {
  const token = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'
  const signed = (secrets: VersionedKeys) => sign(token, secrets.byVersion[secrets.current]!)

  test('are valid as long as the version that signed them is there', async () => {
    const [old, anew] = [await signed(first), await signed(both)]
    for (const keys of [first, waiting, both]) expect(await openBearer(old, keys)).toBe(token)
    for (const keys of [waiting, both, second]) expect(await openBearer(anew, keys)).toBe(token)
    expect([await openBearer(old, second), await openBearer(anew, first)]).toEqual([null, null])
  })

  test('are signed again for the library with the current one, and only if one of ours signed them', async () => {
    const [old, anew] = [await signed(first), await signed(both)]
    expect(await signedAnew(old, both)).toBe(anew)
    expect(await signedAnew(anew, both)).toBe(anew)
    expect(await signedAnew(anew, waiting)).toBe(old)
    const forged = await sign(token, 'a secret that is not one of ours, but long')
    for (const foreign of [forged, token, '', `${token}.`, `${forged}\n`])
      expect(await signedAnew(foreign, both)).toBe(foreign)
  })
})

async function sign(value: string, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'sign',
  ])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(value))
  return `${value}.${Buffer.from(signature).toString('base64')}`
}
