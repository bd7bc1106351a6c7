import { describe, expect, it } from 'vitest'
import { mintApiKey, mintDeviceKey } from '../../../src/kernel/api-key.ts'
import { base36Alphabet, publicId, uuidv7, workspaceId } from '../../../src/kernel/ids.ts'
import { inPod, ownPod, podOf, podOfPath } from '../../../src/kernel/pods.ts'

const digest = '0123456789abcdef'.repeat(4)

const made: Readonly<Record<string, (pod: string) => string>> = {
  'an API key of the sandbox': (pod) => mintApiKey({ environment: 'sandbox', pod }).token,
  'an API key of live': (pod) => mintApiKey({ environment: 'live', pod }).token,
  "a device's key": (pod) => mintDeviceKey({ environment: 'live', pod }).token,
  'a public id': (pod) => publicId('splink', pod),
  "a workspace's id": (pod) => workspaceId(digest, pod),
  "a stored file's address": (pod) => inPod(digest.slice(0, 32), pod),
  'a UUID': (pod) => uuidv7(1_781_352_005_123, pod),
  "a mail's link token": (pod) => `${uuidv7(1_781_352_005_123, pod)}.${digest}`,
}

describe.each(Object.entries(made))('%s', (_, make) => {
  it.each([...base36Alphabet])('names the pod %s', (pod) => {
    expect(podOf(make(pod))).toBe(pod)
  })

  it.each(['', 'ab', 'A', '_', '-', 'é'])('is not made in the pod "%s"', (pod) => {
    expect(() => make(pod)).toThrow(RangeError)
  })
})

it('is made in our own pod unless its maker names another', () => {
  const { token } = mintApiKey({ environment: 'live' })
  expect([token, publicId('spcs'), workspaceId(digest), uuidv7(0)].map(podOf)).toEqual(Array(4).fill(ownPod))
})

it('a UUID of a pod keeps its time and differs from every other', () => {
  expect(uuidv7(0x017f22e279b0, 'a')).toMatch(/^017f22e2-79b0-761[0-9a-f]-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(Array.from({ length: 1_000 }, () => uuidv7(5, 'z'))).size).toBe(1_000)
})

it.each([
  '',
  'a',
  'garbage',
  publicId('splink').slice(0, -1),
  `${publicId('splink')}0`,
  `${publicId('splink')}\n`,
  publicId('splink').toUpperCase(),
  'tn_demo',
  'sk_sbx_',
  crypto.randomUUID(),
  // The bits of the pod hold no character of a name.
  '0190a6d2-7c3e-7b1a-9f00-000000000030',
  `${uuidv7(0)}0`,
  ` ${uuidv7(0)}`,
])('"%s" names no pod', (text) => {
  expect(podOf(text)).toBeNull()
})

it('a path leads to the pod that its first named part names', () => {
  expect(podOfPath(`/${publicId('splink', 'b')}/${publicId('spcs', 'c')}/receipt.pdf`)).toBe('b')
  expect(podOfPath(`/logos/${inPod(digest.slice(0, 32), 'd')}`)).toBe('d')
  expect(podOfPath('/docs/errors')).toBeNull()
})
