import type { JobRun } from '../../../src/http/system-call.ts'
import { log } from '../../../src/platform/log.ts'

interface Head {
  readonly tenantId: string
  readonly sequence: number
  readonly digest: string
}

const headsMax = 1000

/** Scheduled: writes the head of each chain that grows to the log, once a day. */
export async function anchorAudit({ services, requestId, now }: JobRun): Promise<false> {
  const found = await services.db.call('door.anchor_audit(timestamptz,int)', [now.toISOString(), headsMax])
  for (const { tenantId, sequence, digest } of JSON.parse(found!) as Head[])
    log('info', { place: 'audit', requestId, id: tenantId, what: `${sequence} ${digest}` })
  return false
}
