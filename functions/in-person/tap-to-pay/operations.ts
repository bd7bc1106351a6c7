import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { base62 } from '../../../src/kernel/ids.ts'
import { ownPod } from '../../../src/kernel/pods.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { processorOf } from '../../money/payments/api.ts'
import { accountNow, activeAccount } from '../../money/processors/api.ts'
import { settingsOfPhones } from '../attestation/api.ts'
import { deviceById, deviceByKid, locationById, placesOfDevice } from '../devices/api.ts'
import { placeAt } from '../devices/api-pure.ts'
import * as contracts from './contract.ts'
import { isAttested, planEnd, planIssue, planRedeem, presentSession, problemOfToken } from './plan.ts'
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

/**
 * In live the processor is asked before the token is taken, so that a lost answer takes none: the phone asks again. A phone
 * that the publish would refuse is not asked for. Round trips: a load and the publish; in live another load and the
 * processor between them.
 */
const redeem = operation(contracts.redeem, async (call) => {
  const { kid, services } = call
  const digest = await sha256Hex(call.body.secret)
  const [[token], [before]] = await call.readAll(ownToken({ kid, digest }), ownSession({ kid }))
  if (!token) return call.fail('connection_token_invalid')
  const problem = problemOfToken(token, call)
  if (problem) return call.publish(problem)
  const connect = processorOf(services)?.inPerson?.connect
  if (!connect) return call.publish(planRedeem(token, before, null, call))
  const { deviceId, locationId, id: reference } = token
  const [[location], places, [active], [settings], [phone]] = await call.readAll(
    locationById({ id: locationId }),
    placesOfDevice({ deviceId }),
    activeAccount({}),
    settingsOfPhones({}),
    deviceByKid({ kid }),
  )
  if (settings?.isRequired && !isAttested(phone, call)) return call.fail('phone_not_attested')
  const accountId = accountNow(services, active)
  const { known, place } = placeAt(location!, places, accountId)
  const answer = await connect({ reference, place, accountId })
  switch (answer.state) {
    case 'connected':
      return call.publish(planRedeem(token, before, { ...answer, accountId, known }, call))
    case 'place_unfit':
      return call.fail('location_takes_no_readers')
    case 'unknown':
      throw new OutcomeUnknown('the processor did not answer about a phone')
    default:
      return call.fail('reader_registration_refused')
  }
})

const presentNow = (session: SessionRow) => presentSession(session, { now: new Date() })

export const operations = [
  issue,
  redeem,
  listOperation(contracts.listSessions, sessionsPage, presentNow),
  getOperation(contracts.getSession, sessionById, presentNow),
  changeOperation(contracts.endSession, sessionById, planEnd),
]
