import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claim, freePort, portsFolder, sweep } from '../../../local/ports.ts'

const fileOf = (port: number) => join(portsFolder, String(port))
const chosen: number[] = []
const another = async () => {
  const port = await freePort()
  chosen.push(port)
  return port
}
afterAll(() => {
  for (const port of chosen) rmSync(fileOf(port), { force: true })
})

test('ports that are chosen at once and not used yet are all different', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, another))
  expect(new Set(ports).size).toBe(300)
})

test('a port of a living process is not given again, by another process neither', async () => {
  const port = await another()
  expect(claim(port)).toBe(false)
  const code = `import('./local/ports.ts').then(({ claim }) => console.log(claim(${port})))`
  const other = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  expect(other.stdout.trim(), other.stderr).toBe('false')
})

test('what a process that is dead had is free again for the next process', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const port = 19_999 // chosen by nobody
  chosen.push(port)
  mkdirSync(portsFolder, { recursive: true })
  writeFileSync(fileOf(port), String(pid))
  expect(claim(port)).toBe(false)
  sweep(true)
  expect([existsSync(fileOf(port)), claim(port)]).toEqual([false, true])
})
