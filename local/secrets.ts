import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ENVIRONMENTS } from './build.ts'
import type { Environment, Passwords } from './postgres.ts'

export type Secrets = {
  passwords: Passwords
  /** Shared by both Workers: one login serves both environments. */
  authSecret: string
  perEnvironment: Record<Environment, { redisToken: string; apiKeyPeppers: string; signingSecret: string }>
}

/** The secrets of a local stack: kept in `folder` so that keys and sessions outlive a restart, or fresh without one. */
export async function localSecrets(folder?: string): Promise<Secrets> {
  const file = folder && join(folder, 'secrets.json')
  if (file) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Secrets
    } catch {} // none yet
  }
  const secrets = freshSecrets()
  if (file && folder) {
    await mkdir(folder, { recursive: true })
    await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  }
  return secrets
}

function freshSecrets(): Secrets {
  const random = () => randomBytes(32).toString('base64url')
  const one = () => ({
    redisToken: random(),
    apiKeyPeppers: JSON.stringify({ 1: randomBytes(32).toString('base64') }),
    signingSecret: random(),
  })
  return {
    passwords: { superuser: random(), owner: random(), worker: random(), identity: random() },
    authSecret: random(),
    perEnvironment: Object.fromEntries(
      ENVIRONMENTS.map((each) => [each, one()]),
    ) as Secrets['perEnvironment'],
  }
}
