import { symmetricEncrypt } from 'better-auth/crypto'
import { describe, expect, test } from 'vitest'
import { hindrancesOf, linesOf, type Word } from '../../../functions/auth/resealing.ts'
import { openText, sealText } from '../../../functions/auth/sealing.ts'
import { openBearer, signedAnew } from '../../../functions/auth/session.ts'
import type { VersionedKeys } from '../../../src/env.ts'

const [one, two] = [
  'the first secret, of thirty-two characters',
  'the second secret, which is as long as that',
]
const first: VersionedKeys = { current: '1', byVersion: { 1: one } }
const both: VersionedKeys = { current: '2', byVersion: { 1: one, 2: two } }
const waiting: VersionedKeys = { ...both, current: '1' }
const second: VersionedKeys = { current: '2', byVersion: { 2: two } }

describe('sealed texts', () => {
  test('bear the version that sealed them, unless it is the first', async () => {
    expect(await sealText(first, 'text')).toMatch(/^[0-9a-f]+$/)
    expect(await sealText(waiting, 'text')).toMatch(/^[0-9a-f]+$/)
    expect(await sealText(both, 'text')).toMatch(/^[$]ba[$]2[$][0-9a-f]+$/)
  })

  test('open under the version that sealed them, whichever is current', async () => {
    const [old, anew] = [await sealText(first, 'text'), await sealText(both, 'text')]
    for (const keys of [first, waiting, both]) expect(await openText(keys, old)).toBe('text')
    for (const keys of [waiting, both, second]) expect(await openText(keys, anew)).toBe('text')
  })

  test('open as the library sealed them without versions, and with the first one', async () => {
    expect(await openText(both, await symmetricEncrypt({ key: one, data: 'text' }))).toBe('text')
    const key = { keys: new Map([[1, one]]), currentVersion: 1 }
    expect(await openText(first, await symmetricEncrypt({ key, data: 'text' }))).toBe('text')
  })

  test('name the version that is missing or differs, and nothing else', async () => {
    const [old, anew] = [await sealText(first, 'text'), await sealText(both, 'text')]
    await expect(openText(second, old)).rejects.toThrow(
      'sealed under version 1, which AUTH_SECRETS does not have',
    )
    await expect(openText(first, anew)).rejects.toThrow(
      'sealed under version 2, which AUTH_SECRETS does not have',
    )
    await expect(openText({ current: '2', byVersion: { 2: one } }, anew)).rejects.toThrow(
      'version 2 of AUTH_SECRETS does not open what was sealed under it',
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

  test('are signed anew for the library with the current one, and only if one of ours signed them', async () => {
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

describe('what is logged for the operator', () => {
  const word = (environment: string, version: string, seals: boolean, more: Partial<Word> = {}): Word => ({
    environment,
    version,
    seals,
    fingerprint: `of ${version}`,
    young: false,
    ...more,
  })
  const own = [word('sandbox', '1', false), word('sandbox', '2', true)]

  const hindrances: [what: string, live: Word[], told: string[]][] = [
    ['nothing, where the other Worker has not spoken', [], []],
    ['nothing, where it has the same', [word('live', '1', true), word('live', '2', false)], []],
    ['nothing, where it has no older one any more', [word('live', '2', true)], []],
    [
      'that it has not the one that seals here',
      [word('live', '1', true)],
      ['live has no version 2 of AUTH_SECRETS yet, which seals here: name an older one as current'],
    ],
    [
      'that it has another one by that number',
      [word('live', '1', true), word('live', '2', false, { fingerprint: 'of another' })],
      ['version 2 of AUTH_SECRETS is another one in live'],
    ],
  ]
  test.each(hindrances)('%s', (_what, live, told) => {
    expect(hindrancesOf('sandbox', own, [...own, ...live])).toEqual(told)
  })

  const settled = [...own, word('live', '1', false), word('live', '2', true)]
  const none = 'nothing is left under version 1 of AUTH_SECRETS: it can be taken away'
  const lines: [what: string, words: Word[], left: [string, number, number][], told: string[]][] = [
    ['when the older one can go', settled, [], [none]],
    [
      'what is left',
      settled,
      [['1', 3, 2]],
      ['version 1 of AUTH_SECRETS: 3 authenticators and 2 sessions are left'],
    ],
    [
      'not while the other Worker still seals under it',
      [...own, word('live', '1', true), word('live', '2', false)],
      [],
      [],
    ],
    ['not right after it did', [...settled.slice(0, 3), word('live', '2', true, { young: true })], [], []],
    [
      'what needs one that is gone',
      settled,
      [['3', 1, 0]],
      ['AUTH_SECRETS has no version 3: 1 authenticators and 0 sessions need it', none],
    ],
  ]
  test.each(lines)('%s', (_what, words, left, told) => {
    const rows = left.map(([version, authenticators, sessions]) => ({ version, authenticators, sessions }))
    expect(linesOf(both, words, rows, false).map(({ message }) => message)).toEqual(told)
  })

  test('nothing, with one version and nothing under another', () => {
    expect(linesOf(second, [word('sandbox', '2', true)], [], false)).toEqual([])
  })
})
