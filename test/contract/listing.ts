import { type Merchant, openLink, pay } from '../support/merchant.ts'
import type { List, ListWorld, World } from './samples.ts'

/** A list that an API key reads. */
export const withKey = (path: string | ((world: ListWorld) => string), add: List['add']): List => ({
  bearer: ({ merchant }) => merchant.apiKey,
  path: (world) => `${typeof path === 'string' ? path : path(world)}?`,
  add,
})

const made = new WeakMap<Merchant, Map<string, Promise<unknown>>>()

/** Something that a world has once, made at its first use. */
export function once<T>({ merchant }: World, name: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(merchant) ?? new Map<string, Promise<unknown>>()
  made.set(merchant, known)
  if (!known.has(name)) known.set(name, make())
  return known.get(name) as Promise<T>
}

/** One after the other: two that use up all there is cannot run at once. */
export function inTurn(world: World, work: () => Promise<unknown>): Promise<unknown> {
  const known = made.get(world.merchant) ?? new Map<string, Promise<unknown>>()
  made.set(world.merchant, known)
  const next = (known.get('turn') ?? Promise.resolve()).then(work)
  known.set('turn', next)
  return next
}

/** Another payment of the world's link. */
export const payOnce = async ({ link }: ListWorld) =>
  pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
