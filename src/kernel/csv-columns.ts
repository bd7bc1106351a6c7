import { foldedWords } from './fold.ts'

/**
 * Recognizes what columns are by their names. `names`: those of each field, between bars, as words without accents; of
 * two columns of one name the first counts, unless the field is `repeatable`.
 */
export function recognizing(names: Readonly<Record<string, string>>, repeatable: readonly string[] = []) {
  const byName = new Map(
    Object.entries(names).flatMap(([field, all]) => all.split('|').map((name) => [name, field] as const)),
  )
  return (header: readonly string[]): (string | null)[] => {
    const taken = new Set<string>()
    return header.map((cell) => {
      const field = byName.get(foldedWords(cell).join(' '))
      if (field === undefined || taken.has(field)) return null
      if (!repeatable.includes(field)) taken.add(field)
      return field
    })
  }
}
