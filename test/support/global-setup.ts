import type { TestProject } from 'vitest/node'
import { serveControl } from '../../local/control.ts'
import { type Stack, startStack } from '../../local/stack.ts'

type EnvironmentAddresses = {
  baseUrl: string
  linkBaseUrl: string
  directUrl: string
  /** The Workers' own pepper, so that tests can put keys into the database. */
  apiKeyPeppers: string
}

export type StackAddresses = {
  sandbox: EnvironmentAddresses
  live: EnvironmentAddresses
  databases: Record<
    'sandbox' | 'live' | 'identity',
    { adminUrl: string; ownerUrl: string; workerUrl: string }
  >
  neonUrl: string
  redis: { url: string; kind: string }
  controlUrl: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackAddresses
  }
}

/** Tests of limits lower these again with `reconfigure`; all others must never meet one. */
const RAISED = Object.fromEntries(
  ['RATE_READ', 'RATE_WRITE', 'RATE_PUBLIC', 'RATE_AUTH'].map((name) => [
    name,
    { limit: 1_000_000, period: 60 },
  ]),
)

type Shared = { users: number; starting: Promise<{ addresses: StackAddresses; stop(): Promise<void> }> }

// Every project of vitest runs this file for itself, in one process: the first starts the stack, the last stops it.
const holder = globalThis as { spindleStack?: Shared | undefined }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder.spindleStack ??= { users: 0, starting: start() }
  const shared = holder.spindleStack
  shared.users += 1
  const { addresses, stop } = await shared.starting
  project.provide('stack', addresses)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    holder.spindleStack = undefined
    await stop()
  }
}

async function start() {
  const stack = await startStack({
    databaseUrl: process.env.DATABASE_URL,
    redisUrl: process.env.REDIS_URL,
    rateLimits: RAISED,
  })
  const control = await serveControl(stack)
  return {
    addresses: addressesOf(stack, control.url),
    stop: async () => {
      await control.close()
      await stack.stop()
    },
  }
}

function addressesOf(stack: Stack, controlUrl: string): StackAddresses {
  const { postgres } = stack
  const environment = (name: 'sandbox' | 'live') => {
    const { baseUrl, linkBaseUrl, directUrl, apiKeyPeppers } = stack[name]
    return { baseUrl, linkBaseUrl, directUrl, apiKeyPeppers }
  }
  const database = (name: 'sandbox' | 'live' | 'identity') => ({
    adminUrl: postgres.adminUrl(name),
    ownerUrl: postgres.ownerUrl(name),
    workerUrl: name === 'identity' ? postgres.identityUrl() : postgres.workerUrl(name),
  })
  return {
    sandbox: environment('sandbox'),
    live: environment('live'),
    databases: { sandbox: database('sandbox'), live: database('live'), identity: database('identity') },
    neonUrl: stack.neon.url,
    redis: { url: stack.redis.url, kind: stack.redis.kind },
    controlUrl,
  }
}
