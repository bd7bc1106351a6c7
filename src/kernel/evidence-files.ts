/** What a bank reads as evidence: https://docs.stripe.com/file-upload#uploading-a-file */
export const evidenceFileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type EvidenceFileType = (typeof evidenceFileTypes)[number]
