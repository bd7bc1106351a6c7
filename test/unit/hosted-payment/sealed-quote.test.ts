import { expect, test } from 'vitest'
import { openQuote, type Quote, sealQuote } from '../../../functions/page/hosted-payment/sealed-quote.ts'
import type { Settings, VersionedKeys } from '../../../src/env/settings.ts'

const publicId = `splink_${'a'.repeat(32)}`
const now = new Date('2026-06-12T18:00:00.000Z')
const quote = {
  publicId,
  amountMinor: 120_000n,
  asksVersion: 1,
  payerEmailDomains: ['empresa.example'],
  levels: { workspace: { methods: ['card'] }, location: null },
  validUntil: now.getTime() + 60_000,
} as unknown as Quote

const under = (signingSecrets: VersionedKeys) => ({ signingSecrets }) as Settings
const first = 'a secret of at least thirty-two bytes'
const settings = under({ current: '1', byVersion: { '1': first } })
const opened = (text: string, of = settings) => openQuote(of, text, publicId, now)

test('a quote comes back as it was, also under the key before, and however long', async () => {
  const sealed = await sealQuote(settings, quote)
  expect(await opened(sealed)).toEqual(quote)
  const rotated = under({ current: '2', byVersion: { '1': first, '2': `another: ${first}` } })
  expect(await opened(sealed, rotated)).toEqual(quote)
  const long = { ...quote, description: 'Café '.repeat(30_000) }
  expect(await opened(await sealQuote(settings, long))).toEqual(long)
})

test('a buyer reads nothing of it', async () => {
  const sealed = await sealQuote(settings, quote)
  const bytes = Buffer.from(sealed.split('.')[1]!, 'base64').toString('latin1')
  for (const hidden of ['120000', 'empresa', 'levels', publicId])
    expect([sealed.includes(hidden), bytes.includes(hidden)]).toEqual([false, false])
  expect(await sealQuote(settings, quote)).not.toBe(sealed)
})

test('one that was changed, made up, made under another key or for another time does not open', async () => {
  const sealed = await sealQuote(settings, quote)
  const at = sealed.length - 10
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
  const others = under({ current: '1', byVersion: { '1': `another: ${first}` } })
  const late = { ...quote, validUntil: now.getTime() }
  for (const text of [changed, '', 'AAAA', '1.', '9.AAAA', '1.%%%', await sealQuote(others, quote)])
    expect([text, await opened(text)]).toEqual([text, null])
  expect(await opened(await sealQuote(settings, late))).toBeNull()
})
