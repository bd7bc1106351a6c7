import { asciiAt, rasterTypeOf } from './images/raster.ts'

/** What a bank reads as evidence: https://docs.stripe.com/file-upload#uploading-a-file */
export const evidenceFileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type EvidenceFileType = (typeof evidenceFileTypes)[number]

/**
 * What the files of a dispute's evidence have together, in bytes, and so the most of one: above this Stripe was seen to
 * refuse evidence. drizzle/sql/039_disputes_files.sql refuses more too.
 */
export const evidenceBytesMax = 4_500_000

/** The type that the first bytes say; null for every other. */
export function evidenceTypeOf(bytes: Uint8Array): EvidenceFileType | null {
  if (asciiAt(bytes, 0, 5) === '%PDF-') return 'application/pdf'
  const type = rasterTypeOf(bytes)
  return type === 'image/webp' ? null : type
}
