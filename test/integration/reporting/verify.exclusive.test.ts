import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { over, started, verify } from '../../support/reporting.ts'
import { bucketHere, withWorkerHere } from '../../support/stack.ts'

test('a stored file that is damaged, and one that is gone, are named', () =>
  withWorkerHere(async () => {
    const merchant = await newMerchant()
    const run = await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))
    const [key] = bucketHere()!
      .keys()
      .filter((each) => each.startsWith(`reports/${run.id}/`)) as [string]
    expect((await verify(merchant, run)).body).toMatchObject({ equal: true, file: 'equal' })
    await bucketHere()!.put(key, new TextEncoder().encode('another'), {
      httpMetadata: { contentType: 'text/plain' },
    })
    const { body: damaged } = await verify(merchant, run)
    expect(damaged).toMatchObject({
      equal: false,
      file: 'different',
      differences: [{ figure: 'file', currency: null, stored: run.sha256 }],
    })
    expect(damaged.differences[0]!.found).toMatch(/^[0-9a-f]{64}$/)
    await bucketHere()!.delete([key])
    expect((await verify(merchant, run)).body).toMatchObject({
      equal: false,
      file: 'missing',
      differences: [{ figure: 'file', currency: null, stored: run.sha256, found: null }],
    })
  }))
