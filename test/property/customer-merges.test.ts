import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OwnFields } from '../../drizzle/schema/customers.ts'
import {
  applyFields,
  type FieldChanges,
  type FieldState,
  noFields,
} from '../../functions/people/customers/apply-fields.ts'
import { planMerge, planUnmerge } from '../../functions/people/customers/plan-merges.ts'
import type { CustomerRow, MergeRow } from '../../functions/people/customers/store.ts'
import { isRefusal, type Write } from '../../src/kernel/plan.ts'

const count = 4
const now = new Date('2026-06-13T12:00:00Z')
const idOf = (at: number) => `0190a6d2-7c3e-7b1a-9f00-00000000000${at}`

/** The customers as the plans change them. An update of a merged one reaches what it became part of. */
class Hub {
  rows: CustomerRow[] = Array.from({ length: count }, (_, at) => ({
    ...noFields,
    id: idOf(at),
    status: 'active',
    mergedInto: null,
    eraseAt: null,
    erasure: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }))
  merges: MergeRow[] = []
  made = 0

  readonly clock = { now, newId: () => `made ${this.made++}` }
  readonly row = (id: string) => this.rows.find((row) => row.id === id)!

  root(id: string): CustomerRow {
    const row = this.row(id)
    return row.mergedInto ? this.root(row.mergedInto) : row
  }

  update(at: number, { changes, source, time }: Update) {
    const { id } = this.root(idOf(at))
    this.set(id, applyFields(this.row(id), changes, { source, at: new Date(time) }))
  }

  /** Into the roots of both, where they have not become one already. */
  merge(from: number, into: number): boolean {
    const [customer, survivor] = [this.root(idOf(from)), this.root(idOf(into))]
    return this.run(planMerge({ customer, contacts: [] }, { customer: survivor, contacts: [] }, this.clock))
  }

  unmerge(id: string): boolean {
    const customer = this.row(id)
    const merge = this.merges.find(({ customerId, status }) => customerId === id && status === 'merged')
    if (!merge || !customer.mergedInto) return false
    const survivor = { customer: this.row(customer.mergedInto), contacts: [] }
    const beside = this.rows.filter(({ mergedInto }) => mergedInto === customer.mergedInto)
    const all = { beside, contactsBeside: [] }
    return this.run(planUnmerge({ customer, contacts: [], merge, survivor, ...all }, this.clock))
  }

  private run(plan: object): boolean {
    if (isRefusal(plan)) return false
    for (const write of (plan as { writes: readonly Write[] }).writes) {
      if (write.kind === 'change') this.set(write.id, write.set)
      // The only rows without a merge's columns are contacts.
      if (write.kind === 'insert')
        this.merges.push(...(write.rows as MergeRow[]).filter((row) => 'survivorId' in row))
    }
    return true
  }

  private set(id: string, set: object) {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, ...set } : row))
    this.merges = this.merges.map((row) => (row.id === id ? { ...row, ...set } : row))
  }
}

const changes: fc.Arbitrary<FieldChanges> = fc.record(
  {
    name: fc.option(fc.constantFrom('Ana', 'José Pérez')),
    email: fc.option(fc.constantFrom('ana@example.com', 'zoe@example.com')),
    tags: fc.subarray(['vip', 'new']),
    externalId: fc.option(fc.constantFrom('a', 'b')),
  },
  { requiredKeys: [] },
)
const update = fc.record({
  of: fc.nat(count - 1),
  changes,
  source: fc.constantFrom('api', 'sync:one', 'sync:two'),
  time: fc.constantFrom(1, 2, 3, 4),
})
type Update = typeof update extends fc.Arbitrary<infer U> ? U : never
const updates = fc.array(update, { maxLength: 10 })

const fieldsOf = ({ ownFields: _, ...fields }: FieldState & Partial<OwnFields>) => ({
  ...Object.fromEntries(Object.keys(noFields).map((name) => [name, fields[name as keyof typeof fields]])),
  ownFields: null,
})

test('the same updates and merges in any order make the same customer', () => {
  const steps = updates.chain((said) => {
    const all = [...said, ...Array.from({ length: count - 1 }, (_, at) => [at, at + 1] as const)]
    return fc.tuple(fc.constant(said), fc.shuffledSubarray(all, { minLength: all.length }))
  })
  fc.assert(
    fc.property(steps, ([said, shuffled]) => {
      const hub = new Hub()
      for (const step of shuffled) {
        if ('of' in step) hub.update(step.of, step)
        else expect(hub.merge(step[0], step[1])).toBe(true)
      }
      const one = said.reduce<FieldState>(
        (fields, { changes, source, time }) => applyFields(fields, changes, { source, at: new Date(time) }),
        noFields,
      )
      expect(fieldsOf(hub.root(idOf(0)))).toEqual(fieldsOf(one))
      expect(new Set(hub.rows.map(({ id }) => hub.root(id).id)).size).toBe(1)
    }),
  )
})

test('undone, each customer has what it had and what was set of it since, in whatever order merges are undone', () => {
  const merges = fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 6 })
  fc.assert(
    fc.property(updates, merges, updates, fc.nat(), ([...before], pairs, since, pick) => {
      const [hub, apart] = [new Hub(), new Hub()]
      for (const said of before) {
        hub.update(said.of, said)
        apart.update(said.of, said)
      }
      for (const [from, into] of pairs) if (from !== into) hub.merge(from, into)
      for (const said of since) {
        // Said of the survivor, so it stays with the survivor.
        apart.update(
          hub.rows.findIndex(({ id }) => id === hub.root(idOf(said.of)).id),
          said,
        )
        hub.update(said.of, said)
      }
      for (let round = 0; hub.rows.some(({ mergedInto }) => mergedInto); round++) {
        const undoable = hub.rows.filter(({ mergedInto }) => mergedInto && !hub.row(mergedInto).mergedInto)
        expect(hub.unmerge(undoable[(pick + round) % undoable.length]!.id)).toBe(true)
      }
      expect(hub.rows.map(fieldsOf)).toEqual(apart.rows.map(fieldsOf))
      expect(hub.rows.map(({ ownFields }) => ownFields)).toEqual(Array(count).fill(null))
    }),
  )
})
