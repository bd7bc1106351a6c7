import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { connectionTokenLifecycle, tapSessionLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  deadlines: [
    { table: 'connection_tokens', columns: ['expires_at'], while: "status = 'issued'" },
    { table: 'tap_sessions', columns: ['expires_at'], while: "status = 'open'" },
  ],
  lifecycles: [connectionTokenLifecycle, tapSessionLifecycle],
  errors,
  constraints: {
    connection_tokens_one: 'stale',
    tap_sessions_one: 'stale',
    reader_actions_in_session: 'stale',
  },
}
