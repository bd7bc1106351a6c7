import { expect, test } from 'vitest'
import { progressTo } from '../../../local/progress.ts'

test.each([
  { isTTY: true, begun: '  build …', ended: '\r  build', failed: '\n' },
  { isTTY: false, begun: '', ended: '  build', failed: '' },
])('a step is named while it works, on a terminal: $isTTY', ({ isTTY, begun, ended, failed }) => {
  const written: string[] = []
  const progress = progressTo({ isTTY, write: (text) => written.push(text) })
  const since = () => written.splice(0).join('')
  progress.begin('build')
  expect(since()).toBe(begun)
  progress.done('build', 1234.4)
  expect(since()).toMatch(new RegExp(`^${ended} +1234 ms\n$`))
  progress.begin('Workers')
  since()
  progress.fail()
  progress.fail()
  expect(since()).toBe(failed)
})
