import type { Input } from '../../../drizzle/schema/in-person.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type { result } from './contract-device.ts'
import { answerTo } from './contract-inputs.ts'

/** How long a merchant can read what a buyer gave: the least that a till needs. */
const answersHours = 24

type Given = NonNullable<BodyOf<typeof result>['answers']>

/** What the buyer gave, of each input in order; of one that was skipped null. */
export function answersOf(inputs: readonly Input[], given: Given, { now }: Pick<Clock, 'now'>) {
  if (given.length !== inputs.length)
    return refuse('parameter_invalid', {
      param: 'answers',
      message: `There is an answer for each input: ${inputs.length}.`,
    })
  const answers: (string | null)[] = []
  for (const [at, input] of inputs.entries()) {
    const answer = given[at]!
    if ('skipped' in answer) {
      if (input.required)
        return refuse('parameter_invalid', {
          param: `answers.${at}.skipped`,
          message: 'This input is required: it cannot be skipped.',
        })
      answers.push(null)
      continue
    }
    const read = answerTo(input, answer.value)
    if ('wrong' in read)
      return refuse('parameter_invalid', { param: `answers.${at}.value`, message: read.wrong })
    answers.push(read.value)
  }
  return { answers, answersUntil: new Date(now.getTime() + answersHours * 3_600_000) }
}
