import type Stripe from 'stripe'
import { type Answer, missingIn, nowSeconds, refused } from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'

/** https://docs.stripe.com/file-upload: 5 MB for `dispute_evidence`, in one of three types that the content decides. */
const bytesMax = 5_000_000
/** Of a dispute together. Stripe publishes no number: merchants have met the refusal from here on. */
const togetherMax = 4_500_000
const types: Readonly<Record<string, string>> = {
  pdf: '%PDF-',
  png: '\x89PNG\r\n\x1a\n',
  jpg: '\xff\xd8\xff',
}

export const fileFields = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const satisfies readonly (keyof Stripe.Dispute.Evidence)[]

/** The fields of a form of parts; a part with a file is its name, type and bytes, each byte one character. */
export function partsOf(body: Buffer, contentType: string): Fields {
  const [, boundary = ''] = /boundary=(\S+)$/.exec(contentType) ?? []
  const parts = body.toString('latin1').split(`--${boundary}\r\n`).slice(1)
  const fields = parts.flatMap((part) => {
    const at = part.indexOf('\r\n\r\n')
    const head = part.slice(0, at)
    const value = part.slice(at + 4, part.lastIndexOf('\r\n')).replace(`\r\n--${boundary}--`, '')
    const [, name = ''] = / name="([^"]+)"/.exec(head) ?? []
    const [, file] = / filename="([^"]+)"/.exec(head) ?? []
    const [, type = ''] = /^Content-Type: (.+)$/m.exec(head) ?? []
    if (file === undefined) return [[name, value]]
    return Object.entries({ name: file, type, data: value }).map(([key, each]) => [`${name}[${key}]`, each])
  })
  return Object.fromEntries(fields)
}

/** https://docs.stripe.com/api/files/create */
export function newFile(id: string, fields: Fields): Stripe.File | Answer {
  const { purpose, 'file[data]': data, 'file[name]': name = '' } = fields
  if (purpose !== 'dispute_evidence' || data === undefined)
    return refused('parameter_missing', 'Missing required param', purpose ? 'file' : 'purpose')
  const type = Object.keys(types).find((each) => data.startsWith(types[each]!))
  if (!type)
    return refused(
      null,
      'We don’t currently support that file type. Try uploading a file with one of the following mimetypes: application/pdf, image/jpeg, image/png.',
      'file',
    )
  if (data.length > bytesMax) return refused(null, 'The file is too large', 'file')
  return {
    id,
    object: 'file',
    created: nowSeconds(),
    expires_at: null,
    filename: name,
    links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${id}` },
    purpose,
    size: data.length,
    title: null,
    type,
    url: `https://files.stripe.com/v1/files/${id}/contents`,
  }
}

/** What is wrong with the files that evidence names: one that is not there, or too much together. */
export function wrongFiles(fields: Fields, fileOf: (id: string) => Stripe.File | undefined): Answer | null {
  let bytes = 0
  for (const field of fileFields) {
    const id = fields[`evidence[${field}]`]
    if (id === undefined) continue
    const file = fileOf(id)
    if (!file) return missingIn(`evidence[${field}]`, id)
    bytes += file.size
  }
  if (bytes <= togetherMax) return null
  return refused(
    null,
    'The files you’ve attached to this dispute as evidence will exceed the limit for a dispute’s total size.',
    'evidence',
  )
}
