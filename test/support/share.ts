/** TESTS=all: every case of what takes minutes. */
export const isWhole = process.env.TESTS === 'all'

/**
 * One of every `parts` cases, the same ones in every run; all of them where TESTS=all. For a check that holds for many
 * cases alike. With another `at` for each check, every case meets some of the checks.
 */
export const share = <T>(cases: readonly T[], parts: number, at = 0): T[] =>
  isWhole ? [...cases] : cases.filter((_, nth) => nth % parts === at % parts)
