import { foldedWords } from '../../../../src/kernel/fold.ts'
import { unwritten } from '../../../../src/platform/csv-lines.ts'
import { idFields } from './fields.ts'

type Fields = readonly (string | null)[]

/** A row as a record of a batch, not checked yet. An empty cell says nothing. `at`: when the row was said. */
export function recordOf(written: readonly string[], fields: Fields, at: Date): object {
  const cells = written.map((cell) => unwritten(cell.trim()))
  const of = (field: string): string | undefined =>
    cells
      .filter((cell, index) => fields[index] === field && cell.trim() !== '')
      .map((cell) => cell.trim())
      .join(' ') || undefined
  const part = (group: string): Record<string, string> =>
    Object.fromEntries(
      [...new Set(fields)].flatMap((field) => {
        const value = field?.startsWith(`${group}.`) ? of(field) : undefined
        return value === undefined ? [] : [[field!.slice(group.length + 1), value]]
      }),
    )
  const plain = ['name', 'email', 'phone', 'locale'].flatMap((field) => {
    const value = of(field)
    return value === undefined ? [] : [[field, value] as const]
  })
  const tags = new Set(
    (cells.filter((_, index) => fields[index] === 'tags').join(',') || '')
      .split(/[,;|]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  )
  const [address, taxProfile] = [part('address'), part('tax_profile')]
  const metadata = part('metadata')
  const idField = idFields.find((field) => fields.includes(field))
  const id = idField && of(idField)
  const updatedAt = of('updated_at')
  return {
    ...(id === undefined ? {} : { external_id: idField === 'email' ? id.toLowerCase() : id }),
    updated_at: updatedAt === undefined ? at.toISOString() : timeOf(updatedAt),
    customer: {
      ...Object.fromEntries(plain),
      ...(tags.size > 0 ? { tags: [...tags] } : {}),
      ...(isEmpty(address) ? {} : { addresses: [{ ...address, ...countryOf(address) }] }),
      ...(isEmpty(taxProfile) ? {} : { tax_profile: taxProfile }),
      ...(isEmpty(metadata) ? {} : { metadata }),
    },
  }
}

const isEmpty = (object: object) => Object.keys(object).length === 0

const countries: Readonly<Record<string, string>> = {
  mexico: 'MX',
  'estados unidos': 'US',
  'united states': 'US',
  usa: 'US',
}

function countryOf({ country = 'MX' }: Record<string, string>) {
  return { country: countries[foldedWords(country).join(' ')] ?? country.toUpperCase() }
}

/** A spreadsheet's date and time without a zone is Mexico City's, day before month. */
function timeOf(text: string): string {
  const [, day, month, year, clock] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T](.*))?$/.exec(text) ?? []
  const iso = year
    ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}${clock ? `T${clock}` : ''}`
    : text
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(iso) ?? []
  if (date === undefined) return iso
  const [hour, ...rest] = (time ?? '00:00').split(':')
  return `${date}T${[hour!.padStart(2, '0'), ...rest, ...(rest.length === 1 ? ['00'] : [])].join(':')}-06:00`
}
