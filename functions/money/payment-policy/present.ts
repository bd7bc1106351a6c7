import { effectiveOf, type PolicySettings, sourcesOf } from './policy.ts'
import type { CurrentPolicy, VersionRow } from './store.ts'

/** The levels from the widest: a location's has three. */
export const levelsOf = (
  platform: PolicySettings,
  { workspace, location }: Pick<CurrentPolicy, 'workspace' | 'location'>,
  locationId: string | null,
) =>
  [
    ['platform', platform],
    ['workspace', workspace ?? {}],
    ...(locationId === null ? [] : [['location', location ?? {}] as const]),
  ] as const

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
    effective_at: policy.updatedAt.toISOString(),
  }
}

export const presentVersion = (row: VersionRow) => ({
  id: row.id,
  object: 'payment_policy_version' as const,
  version: row.version,
  location_id: row.locationId,
  settings: { ...row.settings },
  changes: [...row.changes],
  author: row.createdByUserId === null ? null : { user_id: row.createdByUserId, email: row.createdByEmail! },
  created_at: row.createdAt.toISOString(),
})
