import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { connectionTokenLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  deadlines: [{ table: 'connection_tokens', columns: ['expires_at'], while: "status = 'issued'" }],
  lifecycles: [connectionTokenLifecycle],
  errors,
  constraints: { connection_tokens_one: 'stale' },
}
