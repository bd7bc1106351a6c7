import type { Processor } from './port.ts'

/** A processor that has the rail. */
export type Offering<Rail extends keyof Processor> = Processor & {
  readonly [R in Rail]-?: NonNullable<Processor[R]>
}

export const offers = <Rail extends keyof Processor>(
  processor: Processor,
  rail: Rail,
): processor is Offering<Rail> => processor[rail] !== undefined
