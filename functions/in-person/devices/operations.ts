import { type Call, changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDueApart } from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { mintDeviceKey } from '../../../src/kernel/api-key.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { mintPairingCode } from '../../../src/kernel/pairing-code.ts'
import { hmacHex } from '../../../src/platform/crypto.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { requireProcessor } from '../../money/payments/api.ts'
import { accountNow, activeAccount } from '../../money/processors/api.ts'
import { type DeviceContracts, expiry, phones, readers, register, registers } from './contract.ts'
import * as ofDevice from './contract-device.ts'
import type { DeviceKind } from './kinds.ts'
import {
  placeAt,
  planCreate,
  planDisable,
  planEnable,
  planExpire,
  planPair,
  planPairingCode,
  planRegister,
  planRotate,
  planUnpair,
  planUpdate,
  problemOfRegistering,
} from './plan.ts'
import { presentDevice } from './present.ts'
import { signingKeyOf } from './signing-key.ts'
import {
  activeCodeOf,
  codeById,
  codeByPrefix,
  credentialsByKid,
  type DeviceRow,
  deviceById,
  deviceByKid,
  deviceByPrefix,
  devicesPage,
  locationById,
  locationOfDevice,
  placesOfDevice,
} from './store.ts'

const minted = async ({ settings }: Services, text: string) => {
  const { current, byVersion } = settings.peppers
  return { digest: await hmacHex(byVersion[current]!, text), pepperVersion: Number(current) }
}

async function mintedCredential(services: Services) {
  const { token, kid } = mintDeviceKey({ environment: services.settings.environment })
  return { token, kid, ...(await minted(services, token)) }
}

const presentNow = (device: DeviceRow) => presentDevice(device, { now: new Date() })

/** What a merchant does with the devices of a kind. */
const operationsOf = (kind: DeviceKind, contracts: DeviceContracts) => {
  const byId = ({ id }: { readonly id: string }) => deviceById({ kind, id })
  return [
    operation(contracts.create, async (call) => {
      const [location] = await call.read(locationById({ id: call.body.location_id }))
      return call.publish(planCreate(kind, call.body, location, call))
    }),
    listOperation(contracts.list, devicesPage, presentNow, { values: () => ({ kind }) }),
    getOperation(contracts.get, byId, presentNow),
    operation(contracts.update, async (call) => {
      const [[device], [location]] = await call.readAll(
        byId(call.params),
        locationById({ id: call.body.location_id ?? call.params.id }),
      )
      return device
        ? call.publish(planUpdate(device, call.body, location, call))
        : call.fail('device_not_found')
    }),
    operation(contracts.pairingCode, async (call) => {
      const { code, prefix } = mintPairingCode()
      const { id: deviceId } = call.params
      const [[[device], [location], [before]], digest] = await Promise.all([
        call.readAll(byId(call.params), locationOfDevice({ deviceId }), activeCodeOf({ deviceId })),
        minted(call.services, code),
      ])
      return device && location
        ? call.publish(planPairingCode(device, { location, before }, { code, prefix, ...digest }, call))
        : call.fail('device_not_found')
    }),
    changeOperation(contracts.unpair, byId, planUnpair),
    changeOperation(contracts.disable, byId, planDisable),
    changeOperation(contracts.enable, byId, planEnable),
  ]
}

/**
 * Asks the processor between the read and the publish: a lost reply costs nothing, the same code is asked for under the same
 * key. Round trips: a load, the processor, the publish.
 */
const registerReader = operation(register, async (call) => {
  const { inPerson } = requireProcessor(call.services)
  if (!inPerson) return call.fail('reader_registration_refused')
  const { id: deviceId } = call.params
  const [[reader], [location], places, [active]] = await call.readAll(
    deviceById({ kind: 'reader', id: deviceId }),
    locationOfDevice({ deviceId }),
    placesOfDevice({ deviceId }),
    activeAccount({}),
  )
  if (!reader || !location) return call.fail('device_not_found')
  const problem = problemOfRegistering(reader, location)
  if (problem) return call.publish(problem)
  const accountId = accountNow(call.services, active)
  const { known, place } = placeAt(location, places, accountId)
  const answer = await inPerson.register({
    reference: `${deviceId}:${reader.pairingsCount}`,
    code: call.body.registration_code,
    name: reader.name,
    place,
    accountId,
  })
  switch (answer.state) {
    case 'registered':
      return call.publish(planRegister(reader, answer, { known, accountId }, call))
    case 'place_unfit':
      return call.fail('location_takes_no_readers')
    case 'code_refused':
      return call.fail('reader_code_refused', { param: 'registration_code' })
    case 'refused':
      return call.fail('reader_registration_refused')
    case 'unknown':
      throw new OutcomeUnknown('the processor did not answer about a reader')
  }
})

const pairDevice = operation(ofDevice.pair, async (call) => {
  const prefix = call.kid
  const { signing_key: key } = call.body
  if (key !== null && !(await signingKeyOf(key)))
    return call.fail('parameter_invalid', {
      param: 'signing_key',
      message: 'It is no public key of P-256.',
    })
  const [[[device], [code]], credential] = await Promise.all([
    call.readAll(deviceByPrefix({ prefix }), codeByPrefix({ prefix })),
    mintedCredential(call.services),
  ])
  if (!device || !code) return call.fail('pairing_code_invalid')
  return call.publish(planPair({ device, code }, call.body, credential, call))
})

const heardOfMs = 30_000

/** Where a device was not heard of for half a minute, it is now. */
export function heardOf(
  {
    now,
    kid,
    later,
    services,
  }: Pick<Call<unknown, unknown, unknown, unknown>, 'now' | 'kid' | 'later' | 'services'>,
  { lastSeenAt }: DeviceRow,
): void {
  if (lastSeenAt === null || now.getTime() - lastSeenAt.getTime() > heardOfMs)
    later(services.db.call('door.saw_device(text)', [kid]))
}

const getItself = operation(ofDevice.itself, async (call) => {
  const [device] = await call.read(deviceByKid({ kid: call.kid }))
  if (!device) return call.fail('device_credential_invalid')
  heardOf(call, device)
  return presentDevice({ ...device, lastSeenAt: call.now }, call)
})

const rotateCredential = operation(ofDevice.rotate, async (call) => {
  const { kid } = call
  const [[[device], open], credential] = await Promise.all([
    call.readAll(deviceByKid({ kid }), credentialsByKid({ kid })),
    mintedCredential(call.services),
  ])
  return device
    ? call.publish(planRotate(device, { kid, open }, credential, call))
    : call.fail('device_credential_invalid')
})

/** Scheduled: ends codes that nobody entered in their time. */
export const expirePairingCodes = (run: JobRun) =>
  eachDueApart(run, 'device_pairing_codes', async ({ read, publish, now }, id) => {
    const [[code]] = await read(expiry, codeById({ id }))
    const plan = code && planExpire(code, clockOf(now))
    if (plan) await publish(expiry, plan)
  })

export const operations = [
  ...operationsOf('reader', readers),
  ...operationsOf('phone', phones as unknown as DeviceContracts),
  registerReader,
  pairDevice,
  getItself,
  rotateCredential,
]

/** What a merchant does with registers, beside what they sell. */
export const registerOperations = operationsOf('register', registers as unknown as DeviceContracts)
