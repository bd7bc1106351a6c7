import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interfaceFile, interfaceText } from './interface-text.ts'
import { openapiText } from './openapi.ts'
import { PROJECT } from './project.ts'

/* `npm run openapi` writes openapi.json, which is not committed, and its summary, which is; `--check` compares the summary. */
if (!process.argv.includes('--check')) {
  writeFileSync(join(PROJECT, 'openapi.json'), openapiText())
  writeFileSync(interfaceFile, interfaceText())
} else if (readFileSync(interfaceFile, 'utf8') !== interfaceText()) {
  console.error('docs/interface.txt is out of step with the contracts: run `npm run openapi`.')
  process.exitCode = 1
}
