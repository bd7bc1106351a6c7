import type { Sale } from './hosted-origin.ts'

/** What is paid for, in one line of at most 120 letters. */
export function namesOf(lines: Sale['lines'] = []): string | null {
  const names = lines.map(({ name }) => name).join(', ')
  return names.length > 120 ? `${names.slice(0, 119)}…` : names || null
}
