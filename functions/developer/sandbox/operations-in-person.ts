import type { BodyOf } from '../../../src/http/contract.ts'
import { type Call, type Operation, operation } from '../../../src/http/operation.ts'
import { systemCall } from '../../../src/http/system-call.ts'
import { lateMinutes, presentCard as presentTo } from '../../../src/processors/simulator/card.ts'
import { deviceById } from '../../in-person/devices/api.ts'
import {
  actionById,
  actionInProgress,
  inPersonById,
  nextActionOf,
  ownActionById,
  type ReaderActionRow,
  settleAction,
} from '../../in-person/terminal/api.ts'
import { presentAction, presentOrder } from '../../in-person/terminal/api-pure.ts'
import { attemptsOf, type PaymentOrigins } from '../../money/payments/api.ts'
import * as contracts from './contract-in-person.ts'
import { tell } from './tell.ts'

const answerMinutes = { at_once: 0, lost: 0, late: lateMinutes, offline: null } as const

type Presented = BodyOf<typeof contracts.presentCard>
type Presenting = Call<unknown, unknown, unknown, unknown>

/** The card is read, and what the bank says reaches us. Answers the action as it waits, where one waits for a card. */
async function present(
  call: Pick<Presenting, 'readAll' | 'services' | 'fail' | 'requestId'>,
  origins: PaymentOrigins,
  action: ReaderActionRow | undefined,
  { card, presented_as: presentedAs, answer }: Presented,
): Promise<ReaderActionRow> {
  if (!action?.inPersonPaymentId || !action.paymentId) return call.fail('no_card_awaited')
  const [[sale], attempts] = await call.readAll(
    inPersonById({ id: action.inPersonPaymentId }),
    attemptsOf({ paymentId: action.paymentId }),
  )
  const { id: reference } = attempts.at(-1)!
  const presented = { ...sale!, card, presentedAs, answerMinutes: answerMinutes[answer] }
  if (!(await presentTo(call.services.db.call, reference, presented))) return call.fail('no_card_awaited')
  if (answer !== 'lost') await tell(call, origins, { kind: 'attempt', reference })
  return action
}

/** Test controls of the people who hold cards to readers. Their effects reach us like any notification of a processor. */
export function inPersonOperations(origins: PaymentOrigins): Operation[] {
  const presenting = (declared: typeof contracts.presentCard, kind: 'reader' | 'phone') =>
    operation(declared, async (call) => {
      const { params, body } = call
      const { principal, rows } = await call.reading(
        deviceById({ kind, id: params.id }),
        actionInProgress({ readerId: params.id }),
      )
      const [[reader], [action]] = rows
      if (!reader) return call.fail('device_not_found')
      const { id } = await present(call, origins, action, body)
      const [after] = await call.read(actionById({ id }))
      call.later(settleAction(systemCall(call, principal.tenantId), id))
      return call.publish({ writes: [], events: [], reply: presentAction(after!), subjectId: id })
    })

  const presentToItself = operation(contracts.presentToItself, async (call) => {
    const { kid, body } = call
    const { principal, rows } = await call.reading(nextActionOf({ kid }))
    const [waiting] = rows[0]
    const [action] = waiting ? await call.read(actionById({ id: waiting.id })) : []
    const { id } = await present(call, origins, action, { ...body, answer: 'at_once' })
    const [after] = await call.read(ownActionById({ kid, id }))
    call.later(settleAction(systemCall(call, principal.tenantId), id))
    return presentOrder(after!)
  })

  return [
    presenting(contracts.presentCard, 'reader'),
    presenting(contracts.tapCard, 'phone'),
    presentToItself,
  ]
}
