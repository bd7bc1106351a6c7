type Move = { readonly from: readonly string[]; readonly to: string }

/** How the rows of one table change status. `resource` is the table; every status is initial or reached by a move. */
export type Lifecycle = {
  readonly resource: string
  readonly initial: readonly string[]
  readonly moves: Readonly<Record<string, Move>>
}

export type EventOf<L extends Lifecycle> = keyof L['moves'] & string
export type StatusOf<L extends Lifecycle> =
  | L['initial'][number]
  | L['moves'][EventOf<L>]['from'][number]
  | L['moves'][EventOf<L>]['to']

type Allowed<S extends string> = { readonly ok: true; readonly status: S }
export type IllegalMove = {
  readonly ok: false
  readonly resource: string
  readonly from: string
  readonly event: string
}

/**
 * Declares a lifecycle, its statuses and events typed by the literal.
 * @throws Error at load, when a move starts from a status that nothing leads to.
 */
export function lifecycle<const L extends Lifecycle>(declared: L): L {
  const reached = new Set(declared.initial)
  for (const { from, to } of Object.values(declared.moves)) if (from.length > 0) reached.add(to)
  for (const [event, { from }] of Object.entries(declared.moves)) {
    const lost = from.find((status) => !reached.has(status))
    if (lost !== undefined)
      throw new Error(`lifecycle ${declared.resource}: "${event}" starts from unreachable "${lost}"`)
  }
  return declared
}

/**
 * The status that `event` gives `row`, or the refusal as a value when the row's status does not allow it.
 * Nothing is written: the caller puts the status into its change.
 */
export function move<const L extends Lifecycle, E extends EventOf<L>>(
  declared: L,
  row: { readonly status: StatusOf<L> },
  event: E,
): Allowed<L['moves'][E]['to']> | IllegalMove {
  if (canMove(declared, row.status, event)) return { ok: true, status: declared.moves[event]!.to }
  return { ok: false, resource: declared.resource, from: row.status, event }
}

export function canMove<const L extends Lifecycle>(
  declared: L,
  from: StatusOf<L>,
  event: EventOf<L>,
): boolean {
  return declared.moves[event]?.from.includes(from) ?? false
}

/** Every pair of statuses that some event joins, once each and sorted: the database's table of legal moves. */
export function allMoves<const L extends Lifecycle>(declared: L): { from: StatusOf<L>; to: StatusOf<L> }[] {
  const pairs = new Map<string, { from: StatusOf<L>; to: StatusOf<L> }>()
  for (const { from, to } of Object.values(declared.moves)) {
    for (const start of from) pairs.set(`${start} ${to}`, { from: start, to })
  }
  return [...pairs.keys()].sort().map((key) => pairs.get(key)!)
}

/** Every status, in the order in which they are declared: a column's type and CHECK, and the schemas that show it. */
export function statusesOf<const L extends Lifecycle>(declared: L): [StatusOf<L>, ...StatusOf<L>[]] {
  const [first, ...others]: readonly StatusOf<L>[] = declared.initial
  if (first === undefined) throw new Error(`lifecycle ${declared.resource} begins nowhere`)
  for (const { from, to } of Object.values(declared.moves)) others.push(...from, to)
  return [first, ...new Set(others.filter((status) => status !== first))]
}
