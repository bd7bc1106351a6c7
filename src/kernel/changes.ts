import type { Clock } from './clock.ts'
import type { EventResource, EventType } from './event-types.ts'
import { event } from './events.ts'
import type { JsonObject } from './json.ts'
import { type AsRead, change, insert, type Patch, type Plan, type Row, type TableLike } from './plan.ts'

/** What a new row has beside its fields. */
export const newRow = ({ now, newId }: Clock) => ({ id: newId(), version: 1, createdAt: now, updatedAt: now })

/** Of the fields of a request, by the names of the row, those that it names. */
export const named = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

/**
 * How the rows of one table are made and changed where it is plain: one write, one event about the `resource`, and the
 * row as `present` shows it then for the event and the reply. What else a plan does is added to it where it is made.
 */
export const changesOf = <
  T extends TableLike,
  Resource extends EventResource,
  Read extends AsRead<T>,
  Shown extends JsonObject,
  At extends Clock = Clock,
>(
  table: T,
  resource: Resource,
  present: (row: Read, at: At) => Shown,
) => ({
  created: (row: Read & Row<T>, type: Extract<EventType, `${Resource}.${string}`>, at: At) => {
    const reply = present(row, at)
    return {
      // A row without its tenant has all that a new one needs.
      writes: [insert(table, row as Row<T> as Parameters<typeof insert<T>>[1])],
      events: [event(at.newId(), type, { type: resource, id: row.id }, reply)],
      reply,
      subjectId: row.id,
    } satisfies Plan<unknown>
  },
  changed: (row: Read, set: Patch<T>, type: Extract<EventType, `${Resource}.${string}`>, at: At) => {
    const after = present({ ...row, ...set, version: row.version + 1, updatedAt: at.now }, at)
    return {
      writes: [change(table, row, { ...set, updatedAt: at.now })],
      events: [event(at.newId(), type, { type: resource, id: row.id }, after, present(row, at))],
      reply: after,
      subjectId: row.id,
    } satisfies Plan<unknown>
  },
})
