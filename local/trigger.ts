import { parseArgs } from 'node:util'
import { reasonOf } from './errors.ts'
import { sandboxOf, sandboxOptions } from './sandbox-options.ts'
import { recipes } from './simulate.ts'

const HELP = `npm run trigger TYPE [-- --base URL --key sk_sbx_…]

Makes an event of a type really happen in a sandbox: of \`npm start\`, or of --base with an API key (scopes
payment_links:read and payment_links:write, for refunds and disputes refunds:write).

${Object.keys(recipes)
  .map((type) => `  ${type}`)
  .join('\n')}`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: sandboxOptions, allowPositionals: true })
  const [type] = positionals
  const recipe = type ? recipes[type] : undefined
  if (!recipe) {
    console.error(type ? `There is no recipe for ${type}.\n\n${HELP}` : HELP)
    return 2
  }
  await recipe(await sandboxOf(values))
  console.log(`${type}: done`)
  return 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (cause) => {
    console.error(reasonOf(cause))
    process.exitCode = 1
  },
)
