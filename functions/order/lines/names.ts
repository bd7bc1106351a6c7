import { firstLetters } from '../../../src/kernel/first-letters.ts'

/** What is paid for, in one line of at most 120 letters; null where it has no lines. */
export function namesOf(lines: readonly { readonly name: string }[] = []): string | null {
  const names = lines.map(({ name }) => name).join(', ')
  return names.length > 120 ? `${firstLetters(names, 119)}…` : names || null
}
