import { operation } from '../../../src/http/operation.ts'
import { getOperation } from '../../../src/http/reads.ts'
import { type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { configurationByKid, openAllowanceByKid } from '../configurations/api.ts'
import { presentAllowance } from '../configurations/api-pure.ts'
import { deviceByKid, heardOf } from '../devices/api.ts'
import * as ofDevice from './contract-device.ts'
import { presentOrder, presentTold } from './present.ts'
import { type NextActionRow, nextActionOf, ownActionById } from './store.ts'

/** Few questions end an action. */
const settled = async (work: SystemCall, id: string): Promise<void> =>
  (await import('./operations.ts')).settleAction(work, id)

/** A payment is closed at the processor, anything else at its time. */
const isDue = ({ paymentId, expiresAt }: NextActionRow, { now }: { readonly now: Date }) =>
  paymentId !== null || expiresAt > now

export const nextAction = operation(ofDevice.next, async (call) => {
  const { kid } = call
  const { principal, rows } = await call.reading(
    deviceByKid({ kid }),
    nextActionOf({ kid }),
    configurationByKid({ kid }),
    openAllowanceByKid({ kid }),
  )
  const [[device], [action], [configuration = null], [allowance = null]] = rows
  if (!device) return call.fail('device_credential_invalid')
  heardOf(call, device)
  const due = action && isDue(action, call) ? action : null
  // A reader whose time is over is free as soon as it asks, not with the scheduled job.
  if (action && !due) call.later(settled(systemCall(call, principal.tenantId), action.id))
  return {
    object: 'next_action' as const,
    action: due && presentOrder(due),
    ask_again_seconds: ofDevice.askAgainSeconds,
    configuration: configuration && presentTold(configuration),
    offline_allowance: allowance && presentAllowance(allowance),
  }
})

export const getOwnAction = getOperation(
  ofDevice.get,
  ({ id }, { kid }) => ownActionById({ id, kid }),
  presentOrder,
)

/** What a device asks all day. */
export const operations = [nextAction, getOwnAction]
