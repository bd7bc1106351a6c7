import type { Input } from '../../../drizzle/schema/in-person.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type { result } from './contract-device.ts'
import { answerLengthMax, answerTo, screenBounds } from './contract-inputs.ts'

/** How long a merchant can read what a buyer gave: the least that a till needs. */
const answersHours = 24

type Given = NonNullable<BodyOf<typeof result>['answers']>

const untilOf = ({ now }: Pick<Clock, 'now'>) => new Date(now.getTime() + answersHours * 3_600_000)

/** What the buyer gave, of each input in order; of one that was skipped null. */
export function answersOf(inputs: readonly Input[], given: Given, clock: Pick<Clock, 'now'>) {
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
  return { answers, answersUntil: untilOf(clock) }
}

/**
 * What a processor says that the buyer gave. Its reader has checked what was typed: of another form than ours it stays as
 * it is. Null where there is not an answer for each input, or one that cannot stand here.
 */
export function answersFrom(
  inputs: readonly Input[],
  given: readonly (string | null)[],
  clock: Pick<Clock, 'now'>,
) {
  const answers = inputs.map((input, at) => answerFrom(input, given[at] ?? null))
  return given.length === inputs.length && answers.every((answer) => answer !== undefined)
    ? { answers, answersUntil: untilOf(clock) }
    : null
}

function answerFrom(input: Input, given: string | null): string | null | undefined {
  if (given === null) return input.required ? undefined : null
  const read = answerTo(input, given)
  const value = 'value' in read ? read.value : input.type === 'selection' ? '' : given
  return value !== '' && value.length <= answerLengthMax && !containsCardNumber(value) ? value : undefined
}

/** Why a reader that its processor drives has no room for a question; null where it has. */
export function problemOfScreen(inputs: readonly Pick<Input, 'title' | 'choices'>[]) {
  const { titleLengthMax, choicesMax, choiceLengthMax } = screenBounds
  const wrong = (param: string, most: string) =>
    refuse('parameter_invalid', { param, message: `A reader of the processor’s own has at most ${most}.` })
  for (const [at, { title, choices }] of inputs.entries()) {
    if (title.length > titleLengthMax) return wrong(`inputs.${at}.title`, `${titleLengthMax} characters here`)
    if (choices && choices.length > choicesMax) return wrong(`inputs.${at}.choices`, `${choicesMax} choices`)
    const long = choices?.findIndex(({ text }) => text.length > choiceLengthMax) ?? -1
    if (long >= 0) return wrong(`inputs.${at}.choices.${long}.text`, `${choiceLengthMax} characters here`)
  }
  return null
}
