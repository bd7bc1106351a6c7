import type { ProblemCode } from '../problems.ts'

/** What tools and tests know of a kind of bearer: `declarations` of its file. The Worker's bundle leaves it out. */
export interface Declaration<Condition> {
  /** Its scheme in OpenAPI; several kinds may share one. */
  readonly scheme: readonly [name: string, scheme: Readonly<Record<string, string>>]
  /** The condition as a sentence. */
  says(condition: Condition): string
  /** The errors that a caller of this kind may get. */
  errors(condition: Condition): readonly ProblemCode[]
  /** One that only a database can refuse, and some that the sandbox refuses without a trip, with their errors. */
  samples(): { readonly possible: string; readonly impossible: readonly (readonly [string, ProblemCode])[] }
}

export const bearerErrors = [
  'credential_missing',
  'credential_malformed',
  'credential_not_accepted',
] as const satisfies readonly ProblemCode[]
