/** One guard taken out: at least one of the named tests must fail without it. */
export interface Mutant {
  /** The guard, in words. */
  readonly name: string
  readonly file: string
  /** The guard's exact text. It stands `times` times in the file; without a number, once. */
  readonly text: string
  readonly times?: number
  readonly instead: string
  readonly project: 'unit' | 'stack' | 'exclusive'
  /** Files of tests; `only`: those whose names contain it. */
  readonly tests: readonly string[]
  readonly only?: string
}

/**
 * A file's text without the guard.
 * @throws Error when the guard's text does not stand there as often as the list says
 */
export function mutated({ name, file, text, times = 1, instead }: Mutant, source: string): string {
  const parts = source.split(text)
  if (parts.length - 1 !== times)
    throw new Error(`"${name}": its text stands ${parts.length - 1} times in ${file}, not ${times}`)
  return parts.join(instead)
}

type Killer = readonly [test: string, only?: string]

const by =
  (project: Mutant['project'], folder: string) =>
  (name: string, file: string, text: string, instead: string, [test, only]: Killer): Mutant => ({
    name,
    file,
    text,
    instead,
    project,
    tests: [`${folder}${test}`],
    ...(only === undefined ? {} : { only }),
  })

/** What a pure function decides, and its test. */
export const unit = by('unit', 'test/unit/')
/** The same, and what holds for any input. */
export const property = by('unit', 'test/property/')
/** What the Workers and the database decide together. */
export const stack = by('stack', 'test/')
export const exclusive = by('exclusive', 'test/')

export const migration = 'drizzle/migrations/0000_initial.sql'
export const authorize = 'drizzle/sql/040_authorize.sql'
export const publish = 'drizzle/sql/050_publish.sql'
