'use strict'
// Outlives the process that started the stack just long enough to end what it left behind: when that process
// dies without a word (SIGKILL, a crash), its end of our standard input closes, and every process and temporary
// folder still held here is ended and removed. Plain CommonJS, so that it starts in a few milliseconds.
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
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) // ended, but nobody has asked how
  } catch {
    return true
  }
}
