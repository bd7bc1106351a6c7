import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../support/customer.ts'
import {
  accept,
  addInvitation,
  changeRole,
  leave,
  memberIdOf,
  membersOf,
  newPerson,
  remove,
  workspaceOf,
} from '../../support/members.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

let people: [Customer, Customer]
beforeAll(async () => {
  people = [await newPerson(), await newPerson()]
})

const ownersOf = async (tenantId: string) =>
  (await membersOf(tenantId)).filter(({ role, status }) => role === 'owner' && status === 'active')

/** Replies by their status or the code of their error. */
const counted = (replies: readonly { status: number; body: { error?: { code: string } } }[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const what = body.error?.code ?? String(status)
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}

const races: Record<
  string,
  (
    ids: [string, string],
    at: number,
    workspace: { tenantId: string; environment: 'sandbox' },
  ) => ReturnType<typeof leave>
> = {
  'two owners demote each other': (ids, at, workspace) =>
    changeRole(people[at % 2]!, workspace, ids[1 - (at % 2)]!, 'admin'),
  'two owners remove each other': (ids, at, workspace) =>
    remove(people[at % 2]!, workspace, ids[1 - (at % 2)]!),
  'an owner leaves while the other is demoted by them': (ids, at, workspace) =>
    at % 2 === 0 ? leave(people[0], workspace) : changeRole(people[0], workspace, ids[1]!, 'member'),
  'two owners leave': (_ids, at, workspace) => leave(people[at % 2]!, workspace),
}

test.each(Object.keys(races))('%s, fifty at once: one owner stays', async (name) => {
  const workspace = { ...(await workspaceOf(people, ['owner', 'owner'])), environment: 'sandbox' } as const
  const ids: [string, string] = [
    await memberIdOf(people[0], workspace),
    await memberIdOf(people[1], workspace),
  ]
  const replies = await times((at) => races[name]!(ids, at, workspace))
  const counts = counted(replies)
  expect(await ownersOf(workspace.tenantId)).toHaveLength(1)
  expect(Object.keys(counts).filter((what) => /^5|internal|outcome/.test(what))).toEqual([])
  expect(counts['200'] ?? 0, JSON.stringify(counts)).toBeGreaterThanOrEqual(1)
})

test('an invitation that is accepted fifty times at once makes one member', async () => {
  const [owner, invited] = people
  const workspace = await workspaceOf([owner], ['owner'])
  const id = await addInvitation({ ...workspace, environment: 'sandbox' }, { email: invited.email })
  const key = randomUUID()
  const replies = await times((at) => accept(invited, id, at % 2 === 0 ? key : randomUUID()))
  const counts = counted(replies)
  expect(Object.keys(counts).sort(), JSON.stringify(counts)).toEqual(['200', 'invitation_already_accepted'])
  expect(new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
  expect(await membersOf(workspace.tenantId)).toHaveLength(2)
})
