import { connect, type StripeAccount, verifiedEvent } from './client.ts'
import { depositsOf, fetchDeposit, fetchMovement } from './deposits.ts'
import { acceptDispute, fetchDispute, sendEvidence } from './disputes.ts'
import { readEventHints } from './events.ts'
import { uploadFile } from './files.ts'
import { fetchFraudWarning } from './fraud-warnings.ts'
import { cancel, capture, createAttempt, fetchAttempt } from './intents.ts'
import { type Endpoint, type VerifiedEvent, verifiedEventOf } from './notifications.ts'
import { entriesOf, fetchPayout } from './payouts.ts'
import { answerTo, ask, withdraw } from './questions.ts'
import { fetchExternalRefund, fetchRefund, refund } from './refunds.ts'
import { show } from './screens.ts'
import { attemptBehind, connectPhone, present, register, secretOf } from './terminal.ts'
import { describe } from './tokens.ts'

type Rest<F> = F extends (at: never, ...rest: infer R) => infer A ? (...rest: R) => A : never
/** Of what needs the account beside its client. */
type Called<F> = F extends (stripe: never, account: never, ...rest: infer R) => infer A
  ? (...rest: R) => A
  : never

/** All calls to one account. index.ts turns what these throw into `unknown`. */
export interface Adapter {
  readonly describe: Called<typeof describe>
  readonly createAttempt: Rest<typeof createAttempt>
  readonly fetchAttempt: Rest<typeof fetchAttempt>
  readonly cancel: Rest<typeof cancel>
  readonly capture: Rest<typeof capture>
  readonly refund: Rest<typeof refund>
  readonly fetchRefund: Rest<typeof fetchRefund>
  readonly fetchExternalRefund: Rest<typeof fetchExternalRefund>
  readonly fetchDeposit: Rest<typeof fetchDeposit>
  readonly fetchMovement: Rest<typeof fetchMovement>
  readonly depositsOf: Rest<typeof depositsOf>
  readonly fetchDispute: Rest<typeof fetchDispute>
  readonly uploadFile: Rest<typeof uploadFile>
  readonly sendEvidence: Rest<typeof sendEvidence>
  readonly acceptDispute: Rest<typeof acceptDispute>
  readonly fetchFraudWarning: Rest<typeof fetchFraudWarning>
  readonly fetchPayout: Rest<typeof fetchPayout>
  readonly entriesOf: Rest<typeof entriesOf>
  readonly readEventHints: Rest<typeof readEventHints>
  readonly present: Rest<typeof present>
  readonly register: Rest<typeof register>
  readonly show: Rest<typeof show>
  readonly ask: Rest<typeof ask>
  readonly answerTo: Rest<typeof answerTo>
  readonly withdraw: Rest<typeof withdraw>
  readonly connectPhone: Rest<typeof connectPhone>
  readonly secretOf: Rest<typeof secretOf>
  readonly attemptBehind: Rest<typeof attemptBehind>
}

export function adapter(account: StripeAccount): Adapter {
  const stripe = connect(account)
  // Registrations that nobody answers close no breaker of buyers' cards.
  const terminal = connect(account, { lane: 'terminal' })
  return {
    describe: (...asked) => describe(stripe, account, ...asked),
    createAttempt: (...asked) => createAttempt(stripe, ...asked),
    fetchAttempt: (...asked) => fetchAttempt(stripe, ...asked),
    cancel: (...asked) => cancel(stripe, ...asked),
    capture: (...asked) => capture(stripe, ...asked),
    refund: (...asked) => refund(stripe, ...asked),
    fetchRefund: (...asked) => fetchRefund(stripe, ...asked),
    fetchExternalRefund: (...asked) => fetchExternalRefund(stripe, ...asked),
    fetchDeposit: (...asked) => fetchDeposit(stripe, ...asked),
    fetchMovement: (...asked) => fetchMovement(stripe, ...asked),
    depositsOf: (...asked) => depositsOf(stripe, ...asked),
    fetchDispute: (...asked) => fetchDispute(stripe, ...asked),
    uploadFile: (...asked) => uploadFile(account, ...asked),
    sendEvidence: (...asked) => sendEvidence(stripe, ...asked),
    acceptDispute: (...asked) => acceptDispute(stripe, ...asked),
    fetchFraudWarning: (...asked) => fetchFraudWarning(stripe, ...asked),
    fetchPayout: (...asked) => fetchPayout(stripe, ...asked),
    entriesOf: (...asked) => entriesOf(stripe, ...asked),
    readEventHints: (...asked) => readEventHints(stripe, ...asked),
    present: (...asked) => present(stripe, ...asked),
    register: (...asked) => register(terminal, ...asked),
    show: (...asked) => show(terminal, ...asked),
    ask: (...asked) => ask(terminal, ...asked),
    answerTo: (...asked) => answerTo(terminal, ...asked),
    withdraw: (...asked) => withdraw(terminal, ...asked),
    connectPhone: (...asked) => connectPhone(terminal, ...asked),
    secretOf: (...asked) => secretOf(stripe, ...asked),
    attemptBehind: (...asked) => attemptBehind(stripe, ...asked),
  }
}

/** @param endpoints the accounts that post to the called address: the first whose secret matches is the sender */
export async function readNotification(
  rawBody: string,
  signature: string,
  endpoints: readonly Endpoint[],
): Promise<VerifiedEvent> {
  for (const endpoint of endpoints) {
    const event = await verifiedEvent(rawBody, signature, endpoint.webhookSecret)
    if (event) return verifiedEventOf(event, endpoint)
  }
  return { signed: false }
}
