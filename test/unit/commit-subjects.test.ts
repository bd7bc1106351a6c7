import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const { status, stdout } = spawnSync('git', ['log', '-50', '--format=%s'], { encoding: 'utf8' })
const subjects = status === 0 ? stdout.trim().split('\n') : []

it.skipIf(subjects.length === 0)('commit subjects have at most 72 characters and no full stop', () => {
  expect(subjects.filter((subject) => [...subject].length > 72 || subject.endsWith('.'))).toEqual([])
})
