import { describe, expect, test } from 'vitest'
import { mintPairingCode, readPairingCode } from '../../../src/kernel/pairing-code.ts'
import { podOf } from '../../../src/kernel/pods.ts'

describe('a pairing code', () => {
  test('has eight characters without look-alikes, and names its pod', () => {
    for (let round = 0; round < 1_000; round++) {
      const { code, prefix } = mintPairingCode()
      expect(code).toMatch(/^A[0-9A-HJKMNP-TV-Z]{3}-[0-9A-HJKMNP-TV-Z]{4}$/)
      expect([prefix, podOf(code)]).toEqual([code.slice(0, 4), 'a'])
    }
  })

  test('each of its 32 characters is as likely as any other', () => {
    const counts = new Map<string, number>()
    for (let round = 0; round < 20_000; round++)
      for (const each of mintPairingCode().code.slice(1).replace('-', ''))
        counts.set(each, (counts.get(each) ?? 0) + 1)
    expect(counts.size).toBe(32)
    // 4,375 each; six standard deviations are 390.
    for (const count of counts.values()) expect(Math.abs(count - 4_375)).toBeLessThan(400)
  })

  test.each([
    ['A7K2-9QXM', 'A7K2-9QXM'],
    ['a7k29qxm', 'A7K2-9QXM'],
    ['AO1l-ioLi', 'A011-1011'],
    ['A7K2-9QX', null],
    ['A7K2-9QXU', null],
    ['A7K2 9QXM', null],
    ['', null],
  ])('typed as %s it is %s', (typed, code) => {
    expect(readPairingCode(typed)?.code ?? null).toBe(code)
  })
})
