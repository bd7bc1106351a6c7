import type { DisputeFacts, DisputeRail, FileRefs } from '../claims.ts'
import type { SimulatorCall } from './rail.ts'

interface StoredDispute {
  readonly disputeRef: string
  readonly attemptReference: string
  readonly state: DisputeFacts['state']
  readonly amountMinor: string
  readonly currency: string
  readonly reason: string
  readonly evidenceDueBy: string
}

function factsOf(answer: string | null): DisputeFacts | null {
  if (answer === null) return null
  const stored = JSON.parse(answer) as StoredDispute
  return {
    ...stored,
    amountMinor: BigInt(stored.amountMinor),
    evidenceDueBy: new Date(stored.evidenceDueBy),
  }
}

const sent = (evidence: Readonly<Record<string, string>>, files: FileRefs = {}) =>
  JSON.stringify({ ...evidence, ...(Object.keys(files).length > 0 ? { files } : {}) })

/** The sandbox's disputes, reachable only through the simulator's schema. */
export function simulatedDisputes(call: SimulatorCall): DisputeRail {
  const ask = (...[signature, values]: Parameters<SimulatorCall>) =>
    call(signature, values).then(factsOf, () => 'unknown' as const)
  return {
    fetchDispute: (disputeRef) => ask('simulator.fetch_dispute(text)', [disputeRef]),
    uploadFile: async (_, { id }) => ({ fileRef: `file_${id}` }),
    submitEvidence: (disputeRef, evidence, files) =>
      ask('simulator.submit_evidence(text,jsonb)', [disputeRef, sent(evidence, files)]),
    draftEvidence: (disputeRef, evidence, files) =>
      ask('simulator.draft_evidence(text,jsonb)', [disputeRef, sent(evidence, files)]),
    acceptDispute: (disputeRef) => ask('simulator.accept_dispute(text)', [disputeRef]),
    unconfirmed: async (limit) =>
      JSON.parse((await call('simulator.unconfirmed_disputes(integer)', [limit])) ?? '[]'),
    confirm: async (disputeRef, state) => {
      await call('simulator.confirm_dispute(text,text)', [disputeRef, state])
    },
  }
}

/**
 * A buyer disputes a charge, all of it or `amountMinor`; `inquires`: the bank only asks. The same reference again is the
 * same dispute. False where the charge took no money.
 */
export const openDispute = async (
  call: SimulatorCall,
  dispute: {
    disputeRef: string
    attemptReference: string
    amountMinor: bigint | null
    reason: string
    inquires: boolean
  },
): Promise<boolean> =>
  (await call('simulator.open_dispute(text,uuid,bigint,text,timestamptz,boolean)', [
    dispute.disputeRef,
    dispute.attemptReference,
    dispute.amountMinor?.toString() ?? null,
    dispute.reason,
    'now',
    dispute.inquires,
  ])) !== null

/** The buyer's bank lets an inquiry rest, or disputes the payment after all. A dispute does not change. */
export const endInquiry = async (
  call: SimulatorCall,
  disputeRef: string,
  state: 'inquiry_closed' | 'needs_response',
): Promise<void> => {
  await call('simulator.end_inquiry(text,text)', [disputeRef, state])
}

/** The buyer's bank reconsiders its decision. An open dispute does not change. */
export const reconsiderDispute = async (
  call: SimulatorCall,
  disputeRef: string,
  state: DisputeFacts['state'],
): Promise<void> => {
  await call('simulator.reconsider_dispute(text,text)', [disputeRef, state])
}

/** The buyer's bank decides; the first decision counts. */
export const resolveDispute = async (
  call: SimulatorCall,
  disputeRef: string,
  outcome: 'won' | 'lost',
): Promise<void> => {
  await call('simulator.resolve_dispute(text,text)', [disputeRef, outcome])
}
