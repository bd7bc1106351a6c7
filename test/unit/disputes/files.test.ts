import { describe, expect, test } from 'vitest'
import { planFacts } from '../../../functions/money/disputes/plan.ts'
import { planEvidence } from '../../../functions/money/disputes/plan-answer.ts'
import { checkFile, planAddFile, planUploaded } from '../../../functions/money/disputes/plan-files.ts'
import type { FileRow } from '../../../functions/money/disputes/store.ts'
import { evidenceBytesMax } from '../../../src/kernel/evidence-files.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { newFile } from '../../../src/kernel/stored-files.ts'
import { clockAt, idOf, now } from '../payments/samples.ts'
import { changed, disputed, facts, inquired } from './samples.ts'

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const day = 86_400_000
const after180 = new Date(now.getTime() + 180 * day)

const uploaded = (n: number, changes: Partial<FileRow> = {}): FileRow => ({
  ...newFile(idOf(n), 'a'.repeat(32), now),
  disputeId: idOf(9),
  name: 'Recibo.pdf',
  contentType: 'application/pdf',
  bytes: 1_000,
  processorRef: null,
  status: 'stored',
  removeAt: after180,
  ...changes,
})

describe('a file', () => {
  test.each([
    ['a PDF', '%PDF-1.7\n', 'application/pdf'],
    ['a PNG', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['a JPEG', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['nothing', '', 'dispute_file_empty'],
    ['a WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'dispute_file_type_unsupported'],
    ['a GIF', 'GIF89a', 'dispute_file_type_unsupported'],
    ['a page', '<!doctype html>', 'dispute_file_type_unsupported'],
    ['a PDF behind something', ' %PDF-1.7', 'dispute_file_type_unsupported'],
    ['the most', '%PDF-'.padEnd(evidenceBytesMax, 'x'), 'application/pdf'],
    ['a byte more', '%PDF-'.padEnd(evidenceBytesMax + 1, 'x'), 'dispute_file_too_large'],
  ])('%s, by its content', (_what, text, told) => {
    const found = checkFile(bytesOf(text))
    expect(isRefusal(found) ? found.refused : found.content_type).toBe(told)
    if (isRefusal(found)) expect(found.param).toBe('content')
  })

  test('is kept for 180 days', () => {
    const row = newFile(idOf(1), 'a'.repeat(32), now)
    const about = { disputeId: idOf(9), name: 'x', bytes: 9, contentType: 'image/png' as const }
    const plan = planAddFile(row, about, now)
    expect(plan.writes).toMatchObject([{ set: { status: 'stored', removeAt: after180 } }])
    expect(plan.reply).toMatchObject({ status: 'stored', kept_until: after180.toISOString(), bytes: 9 })
  })

  test('that the processor has is known by its id there', () => {
    expect(planUploaded(uploaded(1), 'file_1', now).writes).toMatchObject([
      { set: { processorRef: 'file_1', updatedAt: now } },
    ])
  })
})

describe('evidence that names files', () => {
  const { dispute } = disputed('needs_response')
  const stored = [uploaded(1), uploaded(2, { bytes: evidenceBytesMax - 1_000 })]
  const naming = (named: Record<string, string>, later = now) =>
    planEvidence(dispute, { texts: {}, named, stored }, 'submit', later)

  test('keeps each of them from that day on, once', () => {
    const later = new Date(now.getTime() + day)
    const plan = naming({ receipt: idOf(1), refund_policy: idOf(1), uncategorized_file: idOf(1) }, later)
    if (isRefusal(plan)) throw new Error(plan.refused)
    expect(plan.writes).toMatchObject([
      { set: { removeAt: new Date(after180.getTime() + day) } },
      { set: { evidence: {}, evidenceFiles: { receipt: idOf(1) }, pendingAction: 'submit' } },
    ])
    expect(plan.reply).toMatchObject({ evidence: {}, evidence_files: { receipt: idOf(1) } })
  })

  const table: [what: string, named: Record<string, string>, refused: string | null, param?: string][] = [
    ['as much as a bank takes', { receipt: idOf(1), refund_policy: idOf(2) }, null],
    [
      'more than a bank takes',
      { receipt: idOf(1), refund_policy: idOf(2), uncategorized_file: idOf(1) },
      'dispute_files_too_large',
      'files',
    ],
    [
      'one that is not there',
      { receipt: idOf(1), refund_policy: idOf(3) },
      'dispute_file_not_found',
      'files.refund_policy',
    ],
  ]
  test.each(table)('%s', (_what, named, refused, param) => {
    const plan = naming(named)
    expect(isRefusal(plan) ? plan.refused : null).toBe(refused)
    if (isRefusal(plan)) expect(plan.param).toBe(param)
  })

  test('is evidence without any text: sent once the bank looks at it', () => {
    const known = disputed('needs_response', {
      evidenceFiles: { receipt: idOf(1) },
      pendingAction: 'submit',
    })
    const plan = planFacts('simulator', known, facts('under_review'), clockAt())!
    expect(changed(plan)).toMatchObject({ evidenceSubmittedAt: now, evidenceFiles: { receipt: idOf(1) } })
  })

  test('is dropped with its texts where the bank asks something else, and stays where it had it', () => {
    const given = { evidenceFiles: { receipt: idOf(1) }, pendingAction: 'submit' as const }
    const plan = planFacts(
      'simulator',
      inquired('inquiry_needs_response', given),
      facts('needs_response'),
      clockAt(),
    )!
    expect(changed(plan)).toMatchObject({ evidence: {}, evidenceFiles: {} })
    const had = inquired('inquiry_under_review', { ...given, pendingAction: null, evidenceSubmittedAt: now })
    const kept = planFacts('simulator', had, facts('needs_response'), clockAt())!
    expect(changed(kept)).toMatchObject({ evidenceFiles: { receipt: idOf(1) } })
  })
})
