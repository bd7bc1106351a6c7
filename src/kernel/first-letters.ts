/** At most so many UTF-16 units of a text, from its beginning; no character is cut in two: half of one cannot be stored. */
export const firstLetters = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
