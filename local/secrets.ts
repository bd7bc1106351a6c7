import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ENVIRONMENTS } from './build.ts'
import { StackError } from './errors.ts'
import type { Environment, Passwords } from './postgres.ts'

export type Secrets = {
  passwords: Passwords
  /** Shared by both Workers: one login serves both environments. */
  authSecret: string
  perEnvironment: Record<
    Environment,
    {
      redisToken: string
      apiKeyPeppers: string
      doorSecrets: string
      signingSecret: string
      secretsKeys: string
    }
  >
}

/**
 * The secrets of a local stack: kept in `folder` so that keys and sessions outlive a restart, or fresh without one.
 * @throws StackError when what is kept cannot be read: it is never replaced, because the data beside it is encrypted with it
 */
export async function localSecrets(folder?: string, resetCommand?: string): Promise<Secrets> {
  const secrets = freshSecrets()
  if (!folder) return secrets
  const file = join(folder, 'secrets.json')
  const kept = await readKept(file, resetCommand)
  // Kept secrets stay; those added to the code later are new.
  for (const each of ENVIRONMENTS) Object.assign(secrets.perEnvironment[each], kept?.perEnvironment[each])
  const whole = { ...secrets, ...kept, perEnvironment: secrets.perEnvironment }
  await mkdir(folder, { recursive: true })
  // Renamed into place: an interrupted start leaves the old file or the new one, never half of one.
  await writeFile(`${file}.new`, JSON.stringify(whole, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return whole
}

async function readKept(file: string, resetCommand: string | undefined): Promise<Secrets | undefined> {
  if (!existsSync(file)) return undefined
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as Secrets
    const parts = [kept, kept.passwords, kept.perEnvironment]
    if (parts.every((part) => typeof part === 'object' && part !== null)) return kept
  } catch {} // reported below
  const advice = resetCommand ? `, or run \`${resetCommand}\` to begin with an empty folder` : ''
  throw new StackError(
    `${file} is broken: it holds the secrets of the data beside it. Bring back the file as it was${advice}`,
  )
}

function freshSecrets(): Secrets {
  const random = () => randomBytes(32).toString('base64url')
  const one = () => ({
    redisToken: random(),
    apiKeyPeppers: JSON.stringify({ 1: randomBytes(32).toString('base64') }),
    doorSecrets: JSON.stringify({ 1: random() }),
    signingSecret: random(),
    secretsKeys: JSON.stringify({ 1: randomBytes(32).toString('base64') }),
  })
  return {
    passwords: { superuser: random(), owner: random(), worker: random(), identity: random() },
    authSecret: random(),
    perEnvironment: Object.fromEntries(
      ENVIRONMENTS.map((each) => [each, one()]),
    ) as Secrets['perEnvironment'],
  }
}
