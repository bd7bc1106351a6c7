import { expect } from 'vitest'
import { asTold } from '../../src/kernel/events.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { isRefusal, type Plan, type Refusal } from '../../src/kernel/plan.ts'

/** A row as it was read, and how the interface shows it. */
export interface Subject {
  readonly row: { readonly id: string }
  readonly present: (row: never) => JsonObject
}

export type Case = [what: string, plan: Plan<unknown> | Refusal | null, ...subjects: Subject[]]

export const planOf = ([what, plan]: Case): Plan<unknown> => {
  if (plan === null || isRefusal(plan)) throw new Error(`${what}: ${plan?.refused ?? 'no plan'}`)
  return plan
}

const without = (object: JsonObject, ...keys: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))

/** The object of each event, with its previous attributes put back, is what was there before. */
export function saysFormerValues(each: Case): void {
  const [, , ...subjects] = each
  const { writes, events } = planOf(each)
  const seen = events.filter(({ resourceId }) => subjects.some(({ row }) => row.id === resourceId))
  expect(seen.length).toBeGreaterThan(0)
  for (const { resourceType, resourceId, object, previousAttributes, counted } of seen) {
    const { row, present } = subjects.find((subject) => subject.row.id === resourceId)!
    const change = writes.find(
      (write) =>
        (write.kind === 'change' && write.id === resourceId) ||
        (write.kind === 'changeEach' && write.rows.some(({ id }) => id === resourceId)),
    )
    const set = change && 'set' in change ? change.set : {}
    const before = asTold(resourceType, present(row as never))
    const after = asTold(resourceType, present({ ...row, ...set } as never))
    const theDoors = Object.keys(counted?.fields ?? {})
    const elsewhere = ['updated_at', 'version', ...theDoors]
    expect(without(object, ...elsewhere)).toEqual(without(after, ...elsewhere))
    expect(without({ ...object, ...previousAttributes }, ...elsewhere)).toEqual(without(before, ...elsewhere))
    const changed = Object.keys(before).filter(
      (key) => !elsewhere.includes(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    )
    expect(Object.keys(previousAttributes).sort()).toEqual(changed.sort())
  }
}
