import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bytesOf } from '../../../src/kernel/base64.ts'

test('a file comes out of base64 as it went in', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  expect(bytesOf(Buffer.from(bytes).toString('base64'))).toEqual(bytes)
  expect(bytesOf(Buffer.from(bytes).toString('base64url'))).toEqual(bytes)
  expect(bytesOf('')).toEqual(new Uint8Array())
  expect(() => bytesOf('a?')).toThrow()
})

test('the largest file needs a few times its size', async () => {
  const work = `import { bytesOf } from './src/kernel/base64.ts'
    const text = Buffer.alloc(4_500_000, 255).toString('base64')
    for (let at = 0; at < 3; at++) console.log(bytesOf(text).length)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=56', '--input-type=module-typescript', '-e', work],
    { cwd: new URL('../../..', import.meta.url) },
  )
  expect(stdout.trim().split('\n')).toEqual(Array(3).fill('4500000'))
})
