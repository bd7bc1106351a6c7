const wordsOf = (name: string): string[] =>
  name
    .slice(0, 64)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** The candidates that a mistyped name most likely means, the closest first; often none. */
export function nearest(typed: string, candidates: readonly string[], countMax = 1): string[] {
  const words = wordsOf(typed)
  return candidates
    .map((name) => ({ name, by: distance(words, wordsOf(name)) }))
    .filter(({ by }) => by !== null)
    .sort((a, b) => a.by! - b.by!)
    .slice(0, countMax)
    .map(({ name }) => name)
}

/** Null where they are too far apart to be taken for each other. */
function distance(typed: readonly string[], meant: readonly string[]): number | null {
  const [a, b] = [typed.join(''), meant.join('')]
  if (a === '' || b === '') return null
  const letters = Math.abs(a.length - b.length) <= 2 ? edits(a, b) : Number.POSITIVE_INFINITY
  if (letters <= Math.max(1, Math.floor(Math.min(a.length, b.length) / 4))) return letters
  const [short, long] = typed.length < meant.length ? [typed, meant] : [meant, typed]
  const begins = short.every((word, at) => long[at] === word) && long.length - short.length === 1
  const ends = short.every((word, at) => long[long.length - short.length + at] === word)
  return begins || ends ? 10 + long.length - short.length : null
}

/** Letters to change, insert, remove or swap with a neighbor. */
function edits(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1]))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(isSwap ? Math.min(cost, before[j - 2]! + 1) : cost)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
