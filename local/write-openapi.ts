import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interfaceFile, interfaceText } from './interface-text.ts'
import { openapiText } from './openapi.ts'
import { PROJECT } from './project.ts'

/* `npm run openapi` writes openapi.json, which is not committed, and its summary, which is. */
writeFileSync(join(PROJECT, 'openapi.json'), openapiText())
writeFileSync(interfaceFile, interfaceText())
