import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ENVIRONMENTS } from './build.ts'
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

/** The secrets of a local stack: kept in `folder` so that keys and sessions outlive a restart, or fresh without one. */
export async function localSecrets(folder?: string): Promise<Secrets> {
  const file = folder && join(folder, 'secrets.json')
  const secrets = freshSecrets()
  if (!file || !folder) return secrets
  const kept = await readKept(file)
  // What has been added since the folder was made is new; the rest stays.
  for (const each of ENVIRONMENTS) Object.assign(secrets.perEnvironment[each], kept?.perEnvironment[each])
  const whole = { ...secrets, ...kept, perEnvironment: secrets.perEnvironment }
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify(whole, null, 2), { mode: 0o600 })
  return whole
}

async function readKept(file: string): Promise<Secrets | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets
  } catch {
    return undefined
  }
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
