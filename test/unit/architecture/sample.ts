import { expect, it } from 'vitest'
import type { Rule } from './layers.ts'
import { sourceOf } from './source.ts'

/** A small code base and how many times it breaks the rule: `[what it shows, {path: text}, times]`. */
export type Sample = readonly [name: string, files: Readonly<Record<string, string>>, times: number]

/** One test per sample. */
export function shows(rule: Rule, samples: readonly Sample[]): void {
  it.each(samples)('%s', (_, files, times) => {
    const house = Object.entries(files).map(([path, text]) => sourceOf(path, text))
    expect(rule(house)).toHaveLength(times)
  })
}

export const importing = (path: string) => `import { a } from '${path}'\na()\n`
export const importingType = (path: string) => `import type { A } from '${path}'\nexport type B = A\n`
