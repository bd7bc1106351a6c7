import { exportParts } from '../../../src/generated/export-parts.ts'
import { operation } from '../../../src/http/operation.ts'
import { customersFile, exportPerson } from './contract-export.ts'
import { csvOf } from './csv.ts'
import { refusalOf } from './plan.ts'
import { customerFor, customersPage, personalRows } from './store.ts'

const pageMax = 200

/** A person's data: the first page of each part is read in one trip, and longer parts page by page while it is sent. */
const exportOne = operation(exportPerson, async ({ params, read, readAll, fail, publishStep, now }) => {
  const [customer] = await read(customerFor(params))
  if (!customer) return fail('customer_not_found')
  if (refusalOf(customer)) return fail('customer_erased')
  const { id } = customer
  await publishStep({ writes: [], events: [], reply: {}, subjectId: id })
  const page = (part: string, after?: string) => personalRows({ id, part, after, rows: pageMax })
  const firsts = await readAll(...exportParts.map((part) => page(part)))
  async function* pieces() {
    const head = { object: 'customer_export', customer_id: id, created_at: now.toISOString() }
    yield JSON.stringify(head).slice(0, -1)
    for (const [at, part] of exportParts.entries()) {
      let rows = firsts[at]!
      yield `,${JSON.stringify(part)}:[${rows.join(',')}`
      while (rows.length === pageMax) {
        rows = await read(page(part, (JSON.parse(rows.at(-1)!) as { id: string }).id))
        if (rows.length > 0) yield `,${rows.join(',')}`
      }
      yield ']'
    }
    yield '}'
  }
  const left = pieces()
  return new ReadableStream<Uint8Array>({
    async pull(to) {
      const { value, done } = await left.next()
      if (done) to.close()
      else to.enqueue(new TextEncoder().encode(value))
    },
  })
})

const exportAll = operation(customersFile, ({ read }) => csvOf((at) => read(customersPage({ ...at }))))

export const exportOperations = [exportOne, exportAll]
