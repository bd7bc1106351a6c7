import { devices } from '../../../drizzle/schema/devices.ts'
import { registerCodes } from '../../../drizzle/schema/physical-checkout.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { expect, refuse } from '../../../src/kernel/plan.ts'
import type { PlacedDevice } from '../devices/api-pure.ts'
import { type At, presentCode } from './present.ts'
import type { CodeRow } from './store.ts'

/** A plan's context: ids, the time, the address of pages. */
export type Making = Clock & At

const { created, changed } = changesOf(registerCodes, 'register_code', (code: CodeRow, making: Making) =>
  presentCode(code, making),
)

/** Why a register does not sell; null where it does. */
export function problemOfRegister({ status, locationStatus }: PlacedDevice) {
  if (status === 'disabled') return refuse('device_disabled', { param: 'register_id' })
  return locationStatus === 'archived' ? refuse('location_archived', { param: 'register_id' }) : null
}

/** It is neither disabled nor at another location until this is published. */
export const expectSelling = ({ id, status, locationId }: PlacedDevice) =>
  expect(devices, id, { status, locationId })

export function planCreateCode(
  register: PlacedDevice,
  purpose: CodeRow['purpose'],
  publicId: string,
  making: Making,
) {
  const problem = problemOfRegister(register)
  if (problem) return problem
  const code: CodeRow = {
    ...newRow(making),
    publicId,
    status: 'active',
    registerId: register.id,
    purpose,
  }
  const plan = created(code, 'register_code.created', making)
  return { ...plan, writes: [expectSelling(register), ...plan.writes] }
}

export const planRevokeCode = (code: CodeRow, making: Making) =>
  code.status === 'revoked'
    ? refuse('register_code_revoked')
    : changed(code, { status: 'revoked' }, 'register_code.revoked', making)
