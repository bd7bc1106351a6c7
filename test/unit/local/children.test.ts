import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PARENT = `
  import { spawn } from 'node:child_process'
  import { hold, temporaryFolder } from './local/children.ts'
  const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })
  hold(child.pid)
  console.log(JSON.stringify({ pid: child.pid, folder: temporaryFolder('test').path }))
  setInterval(() => {}, 1000)
`

function running(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('what a process started ends with it, even after SIGKILL', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve) =>
    parent.stdout.once('data', (chunk) => resolve(String(chunk))),
  )
  const { pid, folder } = JSON.parse(line) as { pid: number; folder: string }
  expect([running(pid), existsSync(folder)]).toEqual([true, true])
  parent.kill('SIGKILL')
  await expect.poll(() => existsSync(folder), { timeout: 5_000 }).toBe(false)
  // Without a parent that reaps it, the dead process stays listed, as a zombie.
  await expect.poll(() => running(pid) && !isZombie(pid)).toBe(false)
})

function isZombie(pid: number): boolean {
  return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
