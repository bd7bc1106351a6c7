import { and, eq, getTableColumns } from 'drizzle-orm'
import { stepUpChallenges } from '../../../drizzle/schema/step-up.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'

// The Worker's role may not read digests.
const { tokenDigest: _, paramsHash: __, ...columns } = getTableColumns(stepUpChallenges)

export type ChallengeRow = Omit<typeof stepUpChallenges.$inferSelect, 'tokenDigest' | 'paramsHash'>

export const challengeById = select<ChallengeRow>(() =>
  build
    .select(columns)
    .from(stepUpChallenges)
    .where(and(ownTenant(stepUpChallenges), eq(stepUpChallenges.id, slot('id')))),
)
