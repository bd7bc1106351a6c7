import { type Stack, type StackOptions, startStack } from '../../../local/stack.ts'
import type { GatewayControls } from './controls.ts'
import { type NeonFaultMode, neonControls } from './neon.ts'
import { type RedisFaultMode, redisControls } from './redis.ts'

/** A stack whose gateways count, delay and spoil calls. */
export type ControlledStack = Stack & {
  neon: GatewayControls<NeonFaultMode>
  redis: GatewayControls<RedisFaultMode>
}

export async function startControlledStack(options: StackOptions = {}): Promise<ControlledStack> {
  const neon = neonControls()
  const redis = redisControls()
  const stack = await startStack({ ...options, between: { neon: neon.between, redis: redis.between } })
  return {
    ...stack,
    neon: { ...stack.neon, ...neon.controls },
    redis: { ...stack.redis, ...redis.controls },
  }
}
