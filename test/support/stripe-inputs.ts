import type Stripe from 'stripe'
import { type Answer, refused } from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'

type Collected = NonNullable<NonNullable<Stripe.Terminal.Reader['action']>['collect_inputs']>

const missing = (name: string) => refused('parameter_missing', `Missing required param: ${name}`, name)
const inputsMax = 5

/** A signature is not among them: we ask for none. */
const typed = ['email', 'phone', 'numeric', 'text'] as const

/**
 * What a reader is asked to collect, or why it is not, with the lengths that Stripe publishes; of the types of inputs those
 * that we send: https://docs.stripe.com/api/terminal/readers/collect_inputs
 */
export function collectedBy(fields: Fields): Collected | Answer {
  const listed = (prefix: string) => {
    const found: string[] = []
    const isThere = (at: string) => Object.keys(fields).some((name) => name.startsWith(at))
    while (isThere(`${prefix}[${found.length}]`)) found.push(`${prefix}[${found.length}]`)
    return found
  }
  const wrong = (name: string, most: number) =>
    fields[name] === undefined
      ? missing(name)
      : fields[name].length > most
        ? refused(null, `At most ${most} characters`, name)
        : null
  const asked = listed('inputs')
  if (asked.length === 0) return missing('inputs')
  if (asked.length > inputsMax) return refused(null, `At most ${inputsMax} inputs`, 'inputs')
  const inputs: Collected['inputs'] = []
  for (const input of asked) {
    const choices = listed(`${input}[selection][choices]`)
    const type = fields[`${input}[type]`]
    const isSelection = type === 'selection'
    const description = fields[`${input}[custom_text][description]`] ?? null
    const problem =
      (isSelection || typed.includes(type as (typeof typed)[number])
        ? null
        : refused(null, 'Invalid type', `${input}[type]`)) ??
      wrong(`${input}[custom_text][title]`, 40) ??
      (description !== null ? wrong(`${input}[custom_text][description]`, 500) : null) ??
      (isSelection === choices.length > 0 ? null : missing(`${input}[selection][choices]`)) ??
      choices.map((each) => wrong(`${each}[id]`, 50) ?? wrong(`${each}[text]`, 30)).find(Boolean)
    if (problem) return problem
    const offered = (each: string) => ({
      id: fields[`${each}[id]`]!,
      style: null,
      text: fields[`${each}[text]`]!,
    })
    inputs.push({
      type: type!,
      required: fields[`${input}[required]`] === 'true',
      custom_text: {
        description,
        skip_button: null,
        submit_button: null,
        title: fields[`${input}[custom_text][title]`]!,
      },
      toggles: null,
      ...(isSelection
        ? { selection: { choices: choices.map(offered), id: null, text: null } }
        : { [type!]: { value: null } }),
    })
  }
  const named = Object.entries(fields).flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  return { inputs, metadata: Object.fromEntries(named) }
}

/** The input as its buyer answered it; null: skipped it. Undefined where it cannot be answered so. */
export function answeredBy(
  input: Collected['inputs'][number],
  given: string | null,
): Collected['inputs'][number] | undefined {
  if (given === null) return input.required ? undefined : { ...input, skipped: true }
  if (!input.selection) return { ...input, skipped: false, [input.type]: { value: given } }
  const found = input.selection.choices.find(({ id }) => id === given)
  return found && { ...input, skipped: false, selection: { ...input.selection, id: given, text: found.text } }
}
