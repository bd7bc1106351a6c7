import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  allMoves,
  canMove,
  lifecycle,
  move,
  type StatusOf,
  statusesOf,
} from '../../../src/kernel/lifecycle.ts'

const door = lifecycle({
  resource: 'doors',
  initial: ['shut'],
  moves: {
    open: { from: ['shut'], to: 'open' },
    shut: { from: ['open'], to: 'shut' },
    slam: { from: ['open'], to: 'shut' },
    brick_up: { from: ['shut', 'open'], to: 'bricked' },
  },
})

describe('lifecycle', () => {
  it.each([
    { from: 'shut', event: 'open', is: 'open' },
    { from: 'open', event: 'shut', is: 'shut' },
    { from: 'open', event: 'slam', is: 'shut' },
    { from: 'shut', event: 'brick_up', is: 'bricked' },
    { from: 'open', event: 'brick_up', is: 'bricked' },
    { from: 'shut', event: 'shut', is: null },
    { from: 'open', event: 'open', is: null },
    { from: 'bricked', event: 'open', is: null },
    { from: 'bricked', event: 'brick_up', is: null },
  ] as const)('$event of a door that is $from: $is', ({ from, event, is }) => {
    expect(canMove(door, from, event)).toBe(is !== null)
    expect(move(door, { status: from }, event)).toEqual(
      is === null ? { ok: false, resource: 'doors', from, event } : { ok: true, status: is },
    )
  })

  it('lists every pair of statuses once, sorted', () => {
    expect(allMoves(door)).toEqual([
      { from: 'open', to: 'bricked' },
      { from: 'open', to: 'shut' },
      { from: 'shut', to: 'bricked' },
      { from: 'shut', to: 'open' },
    ])
  })

  it('lists every status', () => {
    expect(statusesOf(door)).toEqual(['shut', 'open', 'bricked'])
  })

  it('types statuses and events by the declaration', () => {
    expectTypeOf<StatusOf<typeof door>>().toEqualTypeOf<'shut' | 'open' | 'bricked'>()
    const moved = move(door, { status: 'shut' }, 'open')
    if (moved.ok) expectTypeOf(moved.status).toEqualTypeOf<'open'>()
    // @ts-expect-error no such event
    expect(canMove(door, 'shut', 'paint')).toBe(false)
    // @ts-expect-error no such status
    expect(canMove(door, 'ajar', 'open')).toBe(false)
  })

  it('refuses a declaration with a status that nothing leads to', () => {
    expect(() =>
      lifecycle({ resource: 'r', initial: ['a'], moves: { go: { from: ['b'], to: 'c' } } }),
    ).toThrow('lifecycle r: "go" starts from unreachable "b"')
  })

  it('needs no moves at all', () => {
    const still = lifecycle({ resource: 'r', initial: ['done'], moves: {} })
    expect([allMoves(still), statusesOf(still)]).toEqual([[], ['done']])
  })
})
