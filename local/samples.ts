import { randomBytes } from 'node:crypto'
import type { Contract } from '../src/http/contract.ts'
import type { Sample } from '../src/http/declaration.ts'
import type { Operation } from '../src/http/operation.ts'
import { declared } from './declarations.ts'
import { operations } from './operations.ts'

/** What areas say about requests of their operations, beyond the examples. */
export const samples: Readonly<Record<string, Sample>> = Object.assign(
  {},
  ...declared(({ samples }) => (samples ? [samples] : [])),
)

export const operationOf = (id: string): Operation => operations.find(({ contract }) => contract.id === id)!

/** The operation that creates what a path is about; undefined where none answers with that location. */
export function creatorOf(path: string): Operation | undefined {
  const at = path.replace(/:[a-z]+(?:_id|Id)\b/, ':id')
  return operations.find(
    ({ contract: { location } }) =>
      location?.endsWith('/:id') && (at === location || at.startsWith(`${location}/`)),
  )
}

/** The body of an operation's example, with values of its own where no two resources may share them. */
export function bodyOf({ id, example }: Contract): Record<string, unknown> {
  const body = example?.body as Record<string, unknown>
  const own = (samples[id]?.unique ?? []).map((field) => [
    field,
    `${body[field]}${field === 'code' ? '-' : ' '}${letters()}`,
  ])
  return { ...body, ...Object.fromEntries(own) }
}

/** Digits could look like a card number by chance, a UUID like an id. */
const letters = () =>
  randomBytes(18)
    .toString('base64')
    .replace(/[^a-z]/gi, '')
