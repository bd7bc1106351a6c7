'use strict'
// Cleans up after the process that started the stack: when that process is killed or crashes, our standard input
// closes; then the guardian ends every process and removes every temporary folder that it still holds. Plain CommonJS,
// so that it starts in a few milliseconds.
const { readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')

const processes = new Map()
const folders = new Set()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { hold, signal, release, holdFolder, releaseFolder } = JSON.parse(line)
    if (hold) processes.set(hold, signal)
    if (release) processes.delete(release)
    if (holdFolder) folders.add(holdFolder)
    if (releaseFolder) folders.delete(releaseFolder)
  })
  .on('close', async () => {
    for (const [pid, signal] of processes) send(pid, signal)
    for (let waited = 0; [...processes.keys()].some(alive) && waited < 10_000; waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const pid of processes.keys()) send(pid, 'SIGKILL')
    for (const folder of folders) {
      if (folder.startsWith(join(tmpdir(), 'spindle-'))) rmSync(folder, { recursive: true, force: true })
    }
    process.exit(0)
  })

function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function alive(pid) {
  if (!send(pid, 0)) return false
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) // a zombie: ended, but its parent has not read its exit status
  } catch {
    return true
  }
}
