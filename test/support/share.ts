/** TESTS=all: every case of what takes minutes. */
export const isWhole = process.env.TESTS === 'all'

/**
 * Each of `parts` cases one, the same ones in every run; all of them where TESTS=all. For checks that hold for many cases
 * alike: with another `at` for each check, all cases together still meet all of them.
 */
export const share = <T>(cases: readonly T[], parts: number, at = 0): T[] =>
  isWhole ? [...cases] : cases.filter((_, nth) => nth % parts === at % parts)
