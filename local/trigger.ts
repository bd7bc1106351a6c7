import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type EventType, eventTypeNames } from '../src/kernel/event-types.ts'
import { failed } from './errors.ts'
import { follower } from './following.ts'
import { recipes, unmade } from './recipes.ts'
import { sandboxOf, sandboxOptions } from './sandbox-options.ts'
import { attack } from './simulate-attack.ts'

const isUnmade = (type: string): type is keyof typeof unmade => Object.hasOwn(unmade, type)

const HELP = `npm run trigger TYPE [-- --base URL --key sk_sbx_…]

Makes an event of a type really happen in a sandbox: of \`npm start\`, or of --base with an API key that has every scope.
What needs a scheduled run takes up to two minutes; some recipes move the sandbox clock.

${eventTypeNames
  .filter((type) => !isUnmade(type))
  .map((type) => `  ${type}`)
  .join('\n')}

And an attack, of which no event tells; it takes a minute:

  attack: stolen cards are tried at a link, until cards pause there

These no API key can make happen on demand:

${Object.entries(unmade)
  .map(([type, why]) => `  ${type}: ${why}`)
  .join('\n')}`

const PATIENCE_MS = 150_000
const POLL_MS = 500

/**
 * Runs the command with these arguments and prints what it does. Returns its exit code.
 * @throws Error with one line that says what to do
 */
export async function triggered(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { ...sandboxOptions, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const [type = ''] = positionals
  if (type === 'attack') {
    await attack(await sandboxOf(values), console.log)
    return 0
  }
  if (isUnmade(type)) {
    console.error(`${type} cannot be made here: ${unmade[type]}.`)
    return 2
  }
  const recipe = recipes[type as keyof typeof recipes]
  if (!recipe) {
    console.error(type ? `There is no event type ${type}.\n\n${HELP}` : HELP)
    return 2
  }
  const sandbox = await sandboxOf(values)
  const next = follower(sandbox)
  await next()
  let failure: unknown = null
  const made = recipe(sandbox).catch((cause: unknown) => {
    failure = cause
  })
  const seen = new Set<EventType>()
  for (const endsAt = Date.now() + PATIENCE_MS; Date.now() < endsAt && failure === null; ) {
    for (const event of await next()) {
      seen.add(event.type)
      console.log(`${event.type.padEnd(32)} ${event.data.object.id ?? ''}  event ${event.id}`)
    }
    if (seen.has(type as EventType)) break
    await delay(POLL_MS)
  }
  await made
  if (failure !== null) throw failure
  if (!seen.has(type as EventType)) {
    console.error(`${type} has not come within ${PATIENCE_MS / 1000} seconds.`)
    return 1
  }
  console.log(`${type}: done`)
  return 0
}

if (import.meta.main)
  triggered(process.argv.slice(2)).then((code) => {
    process.exitCode = code
  }, failed)
