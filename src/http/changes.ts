import type * as z from 'zod'
import type { Json } from '../kernel/json.ts'
import type { Plan, Refusal } from '../kernel/plan.ts'
import type { BoundQuery } from '../platform/query.ts'
import type { Contract } from './contract.ts'
import { type Call, type Operation, operation } from './operation.ts'
import type { ProblemCode } from './problems.ts'

/** A change of one resource by the id in its path, or the contract's `notFound`: one trip to read, one to publish. */
export const changeOperation = <
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  Row,
>(
  contract: Contract<P, Q, B, R>,
  query: (
    params: z.output<P>,
    call: Call<z.output<P>, z.output<Q>, z.output<B>, z.output<R>>,
  ) => BoundQuery<Row>,
  plan: (
    row: Row,
    call: Call<z.output<P>, z.output<Q>, z.output<B>, z.output<R>>,
  ) => Plan<z.output<R>> | Refusal<ProblemCode>,
  proves?: (input: { params: z.output<P>; body: z.output<B> }) => Json,
): Operation =>
  operation(
    contract,
    async (call) => {
      const [row] = await call.read(query(call.params, call))
      return row === undefined ? call.fail(contract.notFound!) : call.publish(plan(row, call))
    },
    proves,
  )
