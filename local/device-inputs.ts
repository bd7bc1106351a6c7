import { createInterface } from 'node:readline/promises'

export interface Input {
  readonly type: 'email' | 'phone' | 'numeric' | 'text' | 'selection'
  readonly title: string
  readonly description: string | null
  readonly required: boolean
  readonly choices: { id: string; text: string }[] | null
}

type Answer = { value: string } | { skipped: true }

const made = { email: 'ana@example.com', phone: '+525512345678', numeric: '1234', text: 'Ana' }

const madeFor = ({ type, choices }: Input) => (type === 'selection' ? choices![0]!.id : made[type])

const questionOf = ({ title, description, required, choices }: Input) =>
  [
    required ? title : `${title} (empty: skip)`,
    ...(description === null ? [] : [description]),
    ...(choices ?? []).map(({ id, text }) => `  ${id}: ${text}`),
    '> ',
  ].join('\n')

/** Whether a person is there to be asked. */
export const isAttended = process.stdin.isTTY

/** Asks one after the other; without a person it answers by itself. */
export async function answersTo(inputs: readonly Input[]): Promise<Answer[]> {
  const person = isAttended ? createInterface({ input: process.stdin, output: process.stdout }) : null
  const answers: Answer[] = []
  for (const input of inputs) {
    const value = person ? (await person.question(questionOf(input))).trim() : madeFor(input)
    answers.push(value === '' && !input.required ? { skipped: true } : { value })
  }
  person?.close()
  return answers
}
