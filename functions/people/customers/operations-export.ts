import { exportParts } from '../../../src/generated/export-parts.ts'
import { operation } from '../../../src/http/operation.ts'
import { customersFile, exportPerson } from './contract-export.ts'
import { csvOf } from './csv.ts'
import { refusalOf } from './plan.ts'
import { customerFor, customersPage, personalRows } from './store.ts'

const pageMax = 200

/** A person's data, part by part and page by page while it is read. */
const exportOne = operation(exportPerson, async ({ params, read, fail, publishStep, now }) => {
  const [customer] = await read(customerFor(params))
  if (!customer) return fail('customer_not_found')
  if (refusalOf(customer)) return fail('customer_erased')
  const { id } = customer
  await publishStep({ writes: [], events: [], reply: {}, subjectId: id })
  const encode = (text: string) => new TextEncoder().encode(text)
  const parts = exportParts.values()
  let part: string | undefined
  let after: string | undefined
  return new ReadableStream<Uint8Array>({
    start(to) {
      const head = { object: 'customer_export', customer_id: id, created_at: now.toISOString() }
      to.enqueue(encode(JSON.stringify(head).slice(0, -1)))
    },
    async pull(to) {
      const isNew = after === undefined
      if (isNew) part = parts.next().value
      if (part === undefined) {
        to.enqueue(encode('}'))
        to.close()
        return
      }
      const rows = await read(personalRows({ id, part, after, rows: pageMax }))
      const hasMore = rows.length === pageMax
      const begin = isNew ? `,${JSON.stringify(part)}:[` : rows.length > 0 ? ',' : ''
      after = hasMore ? (JSON.parse(rows.at(-1)!) as { id: string }).id : undefined
      to.enqueue(encode(`${begin}${rows.join(',')}${hasMore ? '' : ']'}`))
    },
  })
})

const exportAll = operation(customersFile, ({ read }) => csvOf((at) => read(customersPage({ ...at }))))

export const exportOperations = [exportOne, exportAll]
