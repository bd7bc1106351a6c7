import { effectiveOf, levelsOf, type PolicySettings, sourcesOf } from './policy.ts'
import type { CurrentPolicy, VersionRow } from './store.ts'
import { stepsOf } from './timeline.ts'

/** The policy of the workspace, or of one of its locations, as the interface shows it. */
export function presentPolicy(policy: CurrentPolicy, platform: PolicySettings, locationId: string | null) {
  const levels = levelsOf(platform, policy, locationId)
  return {
    id: policy.id,
    object: 'payment_policy' as const,
    location_id: locationId,
    settings: { ...(locationId === null ? policy.workspace : policy.location) },
    effective: { ...effectiveOf(...levels.map(([, said]) => said)) },
    sources: sourcesOf(levels),
    version: policy.version,
    policy_version: String(policy.policyVersion),
    effective_at: policy.effectiveAt.toISOString(),
    upcoming: upcomingOf(policy, locationId).map(({ version, startsAt, settings }) => ({
      policy_version: String(version),
      starts_at: startsAt.toISOString(),
      settings: { ...settings },
    })),
  }
}

const upcomingOf = (policy: CurrentPolicy, locationId: string | null) =>
  stepsOf(
    policy[locationId === null ? 'workspace' : 'location'] ?? {},
    policy.upcoming.filter((version) => version.locationId === locationId),
  )

export const presentVersion = (row: VersionRow) => ({
  id: row.id,
  object: 'payment_policy_version' as const,
  version: row.version,
  location_id: row.locationId,
  settings: { ...row.settings },
  changes: [...row.changes],
  author: row.createdByUserId === null ? null : { user_id: row.createdByUserId, email: row.createdByEmail! },
  starts_at: (row.isPlanned ? row.startsAt : row.createdAt).toISOString(),
  created_at: row.createdAt.toISOString(),
})
