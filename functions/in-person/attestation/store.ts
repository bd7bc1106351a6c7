import { and, desc, eq, getTableColumns, isNotNull } from 'drizzle-orm'
import {
  attestationChallenges,
  deviceCredentials,
  phoneAttestations,
} from '../../../drizzle/schema/devices.ts'
import { attestationSettings, phoneApps } from '../../../drizzle/schema/phone-apps.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, pages, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { rowsBy } from '../../../src/platform/rows.ts'

// The Worker's role reads no ciphertext of the table.
const { decryptionKey: _, verificationKey: __, ...appColumns } = getTableColumns(phoneApps)

export type AppRow = Omit<typeof phoneApps.$inferSelect, 'decryptionKey' | 'verificationKey'>
export type ChallengeRow = Row<typeof attestationChallenges>
export type AttestationRow = Row<typeof phoneAttestations>
export type SettingsRow = Row<typeof attestationSettings>

export const settingsOfPhones = select<SettingsRow>(() =>
  build.select().from(attestationSettings).where(ownTenant(attestationSettings)),
)

export const appsPage = select<AppRow>(
  (has) =>
    build
      .select(appColumns)
      .from(phoneApps)
      .where(and(...inWindow(phoneApps, has)))
      .orderBy(desc(phoneApps.createdAt), desc(phoneApps.id))
      .limit(rowsLimit),
  pages,
)

export const appById = select<AppRow>(() =>
  build
    .select(appColumns)
    .from(phoneApps)
    .where(and(ownTenant(phoneApps), eq(phoneApps.id, slot('id')))),
)

/** The app of this name, if it counts. */
export const appByName = select<AppRow>(() =>
  build
    .select(appColumns)
    .from(phoneApps)
    .where(
      and(
        ownTenant(phoneApps),
        eq(phoneApps.platform, slot('platform')),
        eq(phoneApps.app, slot('app')),
        eq(phoneApps.status, 'active'),
      ),
    ),
)

const ofCaller = (column: typeof attestationChallenges.deviceId | typeof phoneAttestations.deviceId) =>
  and(eq(deviceCredentials.deviceId, column), eq(deviceCredentials.kid, slot('kid')))

/** The challenge that the calling phone was given last, while it is not used. */
export const issuedToCaller = select<ChallengeRow>(() =>
  build
    .select(getTableColumns(attestationChallenges))
    .from(attestationChallenges)
    .innerJoin(
      deviceCredentials,
      and(
        eq(deviceCredentials.tenantId, attestationChallenges.tenantId),
        ofCaller(attestationChallenges.deviceId),
      ),
    )
    .where(and(ownTenant(attestationChallenges), eq(attestationChallenges.status, 'issued'))),
)

/** A challenge of the calling phone, of its present pairing. */
export const ownChallenge = select<ChallengeRow>(() =>
  build
    .select(getTableColumns(attestationChallenges))
    .from(attestationChallenges)
    .innerJoin(
      deviceCredentials,
      and(
        eq(deviceCredentials.tenantId, attestationChallenges.tenantId),
        eq(deviceCredentials.pairing, attestationChallenges.pairing),
        ofCaller(attestationChallenges.deviceId),
      ),
    )
    .where(and(ownTenant(attestationChallenges), eq(attestationChallenges.digest, slot('digest')))),
)

/** What a challenge was used up by. */
export const attestationOf = rowsBy(phoneAttestations, 'challengeId')

/** How a key of the calling phone has signed last. */
export const lastOfKey = select<AttestationRow>(() =>
  build
    .select(getTableColumns(phoneAttestations))
    .from(phoneAttestations)
    .innerJoin(
      deviceCredentials,
      and(eq(deviceCredentials.tenantId, phoneAttestations.tenantId), ofCaller(phoneAttestations.deviceId)),
    )
    .where(
      and(
        ownTenant(phoneAttestations),
        eq(phoneAttestations.keyDigest, slot('keyDigest')),
        isNotNull(phoneAttestations.signCount),
      ),
    )
    .orderBy(desc(phoneAttestations.signCount))
    .limit(1),
)
