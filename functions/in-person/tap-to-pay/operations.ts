import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { base62 } from '../../../src/kernel/ids.ts'
import { ownPod } from '../../../src/kernel/pods.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import { deviceById, locationById } from '../devices/api.ts'
import * as contracts from './contract.ts'
import { planEnd, planIssue, planRedeem, presentSession } from './plan.ts'
import { issuedOf, ownSession, ownToken, type SessionRow, sessionById, sessionsPage } from './store.ts'

const issue = operation(contracts.issue, async (call) => {
  const { device_id: deviceId, location_id: locationId } = call.body
  const secret = `ct_${ownPod}${base62(43)}`
  const [[[phone], [location], [before]], digest] = await Promise.all([
    call.readAll(
      deviceById({ kind: 'phone', id: deviceId }),
      locationById({ id: locationId }),
      issuedOf({ deviceId }),
    ),
    sha256Hex(secret),
  ])
  if (!phone) return call.fail('device_not_found', { param: 'device_id' })
  if (!location) return call.fail('location_not_found', { param: 'location_id' })
  return call.publish(planIssue(phone, { location, before }, { secret, digest }, call))
})

const redeem = operation(contracts.redeem, async (call) => {
  const { kid } = call
  const digest = await sha256Hex(call.body.secret)
  const [[token], [before]] = await call.readAll(ownToken({ kid, digest }), ownSession({ kid }))
  return token ? call.publish(planRedeem(token, before, call)) : call.fail('connection_token_invalid')
})

const presentNow = (session: SessionRow) => presentSession(session, { now: new Date() })

export const operations = [
  issue,
  redeem,
  listOperation(contracts.listSessions, sessionsPage, presentNow),
  getOperation(contracts.getSession, sessionById, presentNow),
  changeOperation(contracts.endSession, sessionById, planEnd),
]
