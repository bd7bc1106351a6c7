import type Stripe from 'stripe'
import { type Answer, refused } from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'

type Collected = NonNullable<NonNullable<Stripe.Terminal.Reader['action']>['collect_inputs']>

const missing = (name: string) => refused('parameter_missing', `Missing required param: ${name}`, name)
const inputsMax = 5

/**
 * What a reader is asked to collect, or why it is not, with the lengths that Stripe publishes; of the types of inputs the one
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
    const problem =
      (fields[`${input}[type]`] === 'selection' ? null : refused(null, 'Invalid type', `${input}[type]`)) ??
      wrong(`${input}[custom_text][title]`, 40) ??
      (choices.length === 0 ? missing(`${input}[selection][choices]`) : null) ??
      choices.map((each) => wrong(`${each}[id]`, 50) ?? wrong(`${each}[text]`, 30)).find(Boolean)
    if (problem) return problem
    const texts = { description: null, skip_button: null, submit_button: null }
    const offered = (each: string) => ({
      id: fields[`${each}[id]`]!,
      style: null,
      text: fields[`${each}[text]`]!,
    })
    inputs.push({
      type: 'selection',
      required: fields[`${input}[required]`] === 'true',
      custom_text: { ...texts, title: fields[`${input}[custom_text][title]`]! },
      toggles: null,
      selection: { choices: choices.map(offered), id: null, text: null },
    })
  }
  const named = Object.entries(fields).flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  return { inputs, metadata: Object.fromEntries(named) }
}
