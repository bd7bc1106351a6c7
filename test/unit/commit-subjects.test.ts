import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const { status, stdout } = spawnSync('git', ['log', '-50', '--format=%s'], { encoding: 'utf8' })
const subjects = status === 0 ? stdout.trim().split('\n') : []

it.skipIf(subjects.length === 0)('commit subjects have at most 72 characters and no full stop', () => {
  expect(subjects.filter((subject) => [...subject].length > 72 || subject.endsWith('.'))).toEqual([])
})

/** `Added`, `Adds`, `Adding`: a subject is what to do. */
const isNoImperative =
  /^(?!(?:Bring|Embed|Feed|Need|Pass|Press|Bypass|Process|Address|Discuss|Focus|Guess|Miss|Dismiss|String|Shed|Speed|Seed)\b)[A-Z]\w*(?:ed|ing|s)\b/

it.skipIf(subjects.length === 0)('commit subjects begin with a capital, in the imperative', () => {
  expect(subjects.filter((subject) => !/^[A-Z]/.test(subject) || isNoImperative.test(subject))).toEqual([])
})
