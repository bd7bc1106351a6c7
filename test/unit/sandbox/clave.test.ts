import { expect, test } from 'vitest'
import { claveOf } from '../../../functions/developer/sandbox/operations-spei.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'

test('a made-up clave de rastreo repeats with its key and never looks like a card number', async () => {
  const keys = Array.from({ length: 3_000 }, (_, at) => `key-${at}`)
  const claves = await Promise.all(keys.map((key) => claveOf('account', key)))
  expect(await claveOf('account', 'key-0')).toBe(claves[0])
  expect(new Set(claves).size).toBe(keys.length)
  expect(claves.filter((clave) => containsCardNumber(clave) || !/^SBX[A-P]{24}$/.test(clave))).toEqual([])
})
