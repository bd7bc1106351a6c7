import { type Operation, operation } from '../../../src/http/operation.ts'
import { systemCall } from '../../../src/http/system-call.ts'
import { presentCard as presentTo } from '../../../src/processors/simulator/card.ts'
import { deviceById } from '../../in-person/devices/api.ts'
import { actionById, actionInProgress, inPersonById, settleAction } from '../../in-person/terminal/api.ts'
import { presentAction } from '../../in-person/terminal/api-pure.ts'
import { attemptsOf, type PaymentOrigins } from '../../money/payments/api.ts'
import * as contracts from './contract-in-person.ts'
import { tell } from './tell.ts'

const answerMinutes = { at_once: 0, lost: 0, late: contracts.lateMinutes, offline: null } as const

/** Test controls of the people who hold cards to readers. Their effects reach us like any notification of a processor. */
export function inPersonOperations(origins: PaymentOrigins): Operation[] {
  const presenting = (declared: typeof contracts.presentCard, kind: 'reader' | 'phone') =>
    operation(declared, async (call) => {
      const { params, body, services } = call
      const { principal, rows } = await call.reading(
        deviceById({ kind, id: params.id }),
        actionInProgress({ readerId: params.id }),
      )
      const [[reader], [action]] = rows
      if (!reader) return call.fail('device_not_found')
      if (!action?.inPersonPaymentId || !action.paymentId) return call.fail('no_card_awaited')
      const [[sale], attempts] = await call.readAll(
        inPersonById({ id: action.inPersonPaymentId }),
        attemptsOf({ paymentId: action.paymentId }),
      )
      const { id: reference } = attempts.at(-1)!
      const card = {
        ...sale!,
        card: body.card,
        presentedAs: body.presented_as,
        answerMinutes: answerMinutes[body.answer],
      }
      if (!(await presentTo(services.db.call, reference, card))) return call.fail('no_card_awaited')
      if (body.answer !== 'lost') await tell(call, origins, { kind: 'attempt', reference })
      const [after] = await call.read(actionById({ id: action.id }))
      call.later(settleAction(systemCall(call, principal.tenantId), action.id))
      return call.publish({ writes: [], events: [], reply: presentAction(after!), subjectId: action.id })
    })

  return [presenting(contracts.presentCard, 'reader'), presenting(contracts.tapCard, 'phone')]
}
