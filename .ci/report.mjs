// Reads the JSON reports of vitest, paths first to last: a later report replaces an earlier one's result of the same file.
// `files`: prints the files that failed, had an error outside their tests or gave no result, one a line; the last path is
// the log. `counts`: prints the numbers of passed and failed tests.
// `failures`: prints what failed and is not repaired by a later report as FAILED, the rest as REPEATED.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [, , wanted, ...paths] = process.argv
const log = wanted === 'files' ? readFileSync(paths.pop(), 'utf8') : ''
const reports = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')).testResults)
// A file may stand in a report more than once: it runs in each project that takes it, and is repeated in all of them.
const latest = reports.reduce((before, report) => {
  const names = new Set(report.map(({ name }) => name))
  return [...before.filter(({ name }) => !names.has(name)), ...report]
}, [])
const isFailed = ({ status }) => status === 'failed'
const nameOf = ({ name }) => relative(process.cwd(), name)

if (wanted === 'files') {
  const all = execFileSync('git', ['ls-files', 'test/**/*.test.ts'], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
  const answered = new Set(latest.map(nameOf))
  const failed = latest.filter(isFailed).map(nameOf)
  const spoilt = [...log.matchAll(/originated in "([^"]+)"/g)].map(([, file]) => file)
  const lost = all.filter((file) => !answered.has(file))
  for (const file of new Set([...failed, ...spoilt, ...lost])) console.log(file)
}

if (wanted === 'counts') {
  const tests = latest.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(isFailed).length
  // A file whose preparation fails has no failed test: its tests count as skipped.
  const unprepared = latest.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed)).length
  console.log(tests.filter(({ status }) => status === 'passed').length, failed + unprepared)
}

if (wanted === 'failures') {
  for (const file of reports.flat().filter(isFailed)) {
    const isFinal = latest.some((other) => other.name === file.name && isFailed(other))
    const verdict = isFinal ? 'FAILED' : 'REPEATED'
    const tests = file.assertionResults.filter(isFailed)
    const failures =
      tests.length > 0 ? tests : [{ fullName: 'its preparation', failureMessages: [file.message] }]
    for (const { fullName, failureMessages } of failures) {
      console.log(`${verdict} ${nameOf(file)}: ${fullName}\n  ${failureMessages.join('\n').slice(0, 900)}`)
    }
  }
}
