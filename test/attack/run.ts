import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { PROJECT } from '../../local/project.ts'

const HELP = `npm run attack [-- options]

Attacks a stack of its own for a while: the permission matrix over every operation, requests made up from openapi.json,
strangers who lurk, hold without paying, guess and cause mails, stolen cards among honest buyers, and random histories
of money while Workers, database connections and Redis are killed. A finding fails the run.

  --minutes=60   how long each attack goes on; the four of the strangers share it
  --only=money   access, cards, fuzz, strangers or money alone
  --seed=N       repeats a run's choices; without it one is drawn and printed
  --help         this text`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else {
  const files = values.only ? [`test/attack/${values.only}.test.ts`] : ['test/attack']
  const env = {
    ...process.env,
    ATTACK_MINUTES: values.minutes,
    ...(values.seed === undefined ? {} : { SEED: values.seed }),
  }
  const reporters = ['--reporter=default', '--reporter=./test/attack/findings.ts']
  const args = ['vitest', 'run', '--project', 'exclusive', ...reporters, ...files]
  const child = spawn('npx', args, { cwd: PROJECT, env, stdio: 'inherit' })
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
