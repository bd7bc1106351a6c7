import type { Input } from '../../../drizzle/schema/in-person.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type { result } from './contract-device.ts'
import { answerTo, answerValue, screenBounds } from './contract-inputs.ts'

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
 * What a processor says that the buyer gave. Its reader has checked what was typed: where that has another form than ours,
 * it is kept as it was typed. Null where an answer is missing, or cannot stand here: one with a card number.
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
  if (given === null || given.trim() === '') return input.required ? undefined : null
  const { data } = answerValue.safeParse(given)
  if (data === undefined) return undefined
  const read = answerTo(input, data)
  if ('value' in read) return read.value
  return input.type === 'selection' ? undefined : data
}

/** Why a reader that its processor drives has no room for a question; null where it has. */
export function problemOfScreen(inputs: readonly Pick<Input, 'title' | 'choices'>[]) {
  const { titleLengthMax, choiceLengthMax } = screenBounds
  const noRoom = (param: string, lengthMax: number) =>
    refuse('parameter_invalid', {
      param,
      message: `A reader of the processor’s own has room for ${lengthMax} characters here.`,
    })
  for (const [at, { title, choices }] of inputs.entries()) {
    if (title.length > titleLengthMax) return noRoom(`inputs.${at}.title`, titleLengthMax)
    const long = choices?.findIndex(({ text }) => text.length > choiceLengthMax) ?? -1
    if (long >= 0) return noRoom(`inputs.${at}.choices.${long}.text`, choiceLengthMax)
  }
  return null
}
