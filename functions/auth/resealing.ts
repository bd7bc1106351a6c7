import type { VersionedKeys } from '../../src/env.ts'
import { hmacHex } from '../../src/platform/crypto.ts'
import { log } from '../../src/platform/log.ts'
import type { IdentityAccess } from './access.ts'
import { sealAnew, sealedUnder } from './sealing-anew.ts'

/** One Worker's statement about one version of AUTH_SECRETS. */
export type Word = {
  readonly environment: string
  readonly version: string
  readonly fingerprint: string
  readonly seals: boolean
  /** It changed so recently that ceremonies begun before may still be under way. */
  readonly young: boolean
}

/** The rows that still need a version other than the current one. */
export type Left = { readonly version: string; readonly authenticators: number; readonly sessions: number }

type Line = { readonly level: 'error' | 'info'; readonly message: string }

/** A ceremony lasts five minutes; five more for a former deployment that still runs. */
const youngSeconds = 600

const exchange = `
  with mine as (
    select * from jsonb_to_recordset($2::jsonb) as m(version int, fingerprint text, seals boolean)),
  gone as (
    delete from auth_secrets a where environment = $1 and not exists (select from mine m where m.version = a.version)),
  said as (
    insert into auth_secrets as a (environment, version, fingerprint, seals)
    select $1, version, fingerprint, seals from mine
    on conflict (environment, version) do update
       set fingerprint = excluded.fingerprint, seals = excluded.seals, since = now()
     where (a.fingerprint, a.seals) is distinct from (excluded.fingerprint, excluded.seals))
  select environment, version, fingerprint, seals, since > now() - $3 * interval '1 second' as young from auth_secrets`

const countLeft = `
  select version, sum(authenticators)::int as authenticators, sum(sessions)::int as sessions
    from (select ${sealedUnder} as version, 1 as authenticators, 0 as sessions from two_factors
           where ${sealedUnder} < $1::int or ${sealedUnder} > $1::int
          union all
          select secret_version, 0, 1 from sessions
           where (secret_version < $1::int or secret_version > $1::int) and expires_at > now()) as each
   group by version order by version`

/**
 * Scheduled: reseals authenticators under the current version of AUTH_SECRETS, logs what else needs an older one (the
 * sessions that it signed, which expire), and when it can be removed. Nothing is resealed under a version that the
 * other Worker does not have: customers could not use their authenticators there.
 */
export async function resealAuthenticators(
  access: IdentityAccess,
  environment: string,
  requestId: string,
): Promise<void> {
  const { sql, secrets } = access
  const own = await wordsOf(environment, secrets)
  const words = (await sql(exchange, [environment, JSON.stringify(own), youngSeconds])).map(readWord)
  const hindrances = hindrancesOf(environment, own, words)
  const find = async () => (await sql(countLeft, [secrets.current])).map(readLeft)
  let left = await find()
  const unopened: string[] = []
  if (hindrances.length === 0 && left.some(isOlder(secrets))) {
    unopened.push(...(await sealAnew(access)))
    left = await find()
  }
  const lines: Line[] = [
    ...[...hindrances, ...unopened].map((message) => ({ level: 'error', message }) as const),
    ...linesOf(secrets, words, left, hindrances.length > 0),
  ]
  for (const { level, message } of lines) log(level, { place: 'auth_secrets', requestId, what: message })
}

const wordsOf = (environment: string, { current, byVersion }: VersionedKeys): Promise<Word[]> =>
  Promise.all(
    Object.entries(byVersion).map(async ([version, secret]) => ({
      environment,
      version,
      fingerprint: await hmacHex(secret, 'fingerprint of AUTH_SECRETS'),
      seals: version === current,
      young: true,
    })),
  )

/** Why the current version cannot be used yet: the other Worker has a different secret by that number, or none. */
export function hindrancesOf(environment: string, own: readonly Word[], words: readonly Word[]): string[] {
  const others = words.filter((word) => word.environment !== environment)
  return [...new Set(others.map((word) => word.environment))].flatMap((other) =>
    own.flatMap(({ version, fingerprint, seals }) => {
      const theirs = others.find((word) => word.environment === other && word.version === version)
      if (theirs && theirs.fingerprint !== fingerprint)
        return [`version ${version} of AUTH_SECRETS is another one in ${other}`]
      return seals && !theirs
        ? [
            `${other} has no version ${version} of AUTH_SECRETS yet, which seals here: name an older one as current`,
          ]
        : []
    }),
  )
}

/** Log lines for the operator of a rotation. None where there is one version and nothing is under another. */
export function linesOf(
  { current, byVersion }: VersionedKeys,
  words: readonly Word[],
  left: readonly Left[],
  hindered: boolean,
): Line[] {
  const lines: Line[] = []
  for (const { version, authenticators, sessions } of left) {
    const what = `${authenticators} authenticators and ${sessions} sessions`
    if (byVersion[version] === undefined)
      lines.push({ level: 'error', message: `AUTH_SECRETS has no version ${version}: ${what} need it` })
    else if (Number(version) < Number(current))
      lines.push({ level: 'info', message: `version ${version} of AUTH_SECRETS: ${what} are left` })
  }
  const settled = !hindered && words.every((word) => !word.young && word.seals === (word.version === current))
  for (const version of Object.keys(byVersion)) {
    if (!settled || Number(version) >= Number(current) || left.some((each) => each.version === version))
      continue
    lines.push({
      level: 'info',
      message: `nothing is left under version ${version} of AUTH_SECRETS: it can be taken away`,
    })
  }
  return lines
}

const isOlder =
  ({ current }: VersionedKeys) =>
  ({ version, authenticators }: Left) =>
    authenticators > 0 && Number(version) < Number(current)

const readWord = (row: Record<string, unknown>): Word => ({
  environment: String(row.environment),
  version: String(row.version),
  fingerprint: String(row.fingerprint),
  seals: isTrue(row.seals),
  young: isTrue(row.young),
})

const readLeft = (row: Record<string, unknown>): Left => ({
  version: String(row.version),
  authenticators: Number(row.authenticators),
  sessions: Number(row.sessions),
})

const isTrue = (value: unknown) => value === true || value === 't'
