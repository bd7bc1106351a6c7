/** What plans of other areas may import of the payment policy: no I/O. */
export {
  type Evaluation,
  evaluate,
  type Governing,
  type Judged,
  missingFor,
  type Proposal,
  type ReasonCode,
} from './evaluate.ts'
export type { PolicyField, PolicySettings } from './policy.ts'
