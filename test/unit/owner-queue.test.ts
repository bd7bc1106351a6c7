import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from '../support/owner-queue.ts'

/** Runs `owners` in the order of their requests, and returns which of them worked side by side. */
async function told(owners: readonly string[]): Promise<string[]> {
  const turns = new Turns()
  const atWork: string[] = []
  const seen: string[] = []
  await Promise.all(
    owners.map((owner) =>
      turns.take(owner, async () => {
        atWork.push(owner)
        seen.push([...atWork].sort().join(''))
        await nextTurn()
        atWork.splice(atWork.indexOf(owner), 1)
      }),
    ),
  )
  return seen
}

test.each<[owners: string, seen: string[]]>([
  ['a', ['a']],
  ['aa', ['a', 'aa']],
  ['ab', ['a', 'b']],
  // An owner that comes after another one waits, together with its own.
  ['aba', ['a', 'b', 'a']],
  ['abab', ['a', 'b', 'bb', 'a']],
  ['abcb', ['a', 'b', 'bb', 'c']],
])('%s', async (owners, seen) => {
  expect(await told([...owners])).toEqual(seen)
})

test('a failed owner passes its turn on', async () => {
  const turns = new Turns()
  const fails = turns.take('a', () => Promise.reject(new Error('broken')))
  const next = turns.take('b', async () => 'done')
  await expect(fails).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
