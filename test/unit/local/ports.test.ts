import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claim, freePort, portsFolder } from '../../../local/ports.ts'

const fileOf = (port: number) => join(portsFolder, String(port))

test('ports that are chosen at once and not used yet are all different', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()))
  expect(new Set(ports).size).toBe(300)
})

test('a port of a living process is not given again, by another process neither', async () => {
  const port = await freePort()
  expect(claim(port)).toBe(false)
  const code = `import('./local/ports.ts').then(({ claim }) => console.log(claim(${port})))`
  const other = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  expect(other.stdout.trim(), other.stderr).toBe('false')
})

test('what a process that is dead had is free again', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const port = 31_999
  mkdirSync(portsFolder, { recursive: true })
  rmSync(fileOf(port), { force: true })
  writeFileSync(fileOf(port), String(pid))
  // The first look takes the dead one's file away.
  expect([claim(port), claim(port)]).toEqual([false, true])
})
