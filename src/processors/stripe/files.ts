import type { EvidenceFile } from '../claims.ts'
import { connect, type StripeAccount, verdictOf } from './client.ts'
import { afresh } from './intents.ts'

const extensions: Readonly<Record<EvidenceFile['contentType'], string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
}

/**
 * A file for evidence, by Stripe's id; `refused`: Stripe does not take it. Sent twice it is two files, of which evidence
 * names one. Slow files open no breaker of charges. https://docs.stripe.com/api/files/create
 */
export async function uploadFile(
  account: StripeAccount,
  { id, contentType, bytes }: EvidenceFile,
): Promise<{ readonly fileRef: string } | 'refused'> {
  const file = { data: bytes, name: `${id}.${extensions[contentType]}`, type: contentType }
  try {
    const { files } = connect(account, { lane: 'files' })
    return { fileRef: (await files.create({ purpose: 'dispute_evidence', file }, afresh(`${id}:file`))).id }
  } catch (error) {
    if (verdictOf(error) === 'refused') return 'refused'
    throw error
  }
}
