import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { localSecrets } from '../../../local/secrets.ts'

test.each(['', '{"passwords":', 'null', '{"passwords":{}}'])(
  'secrets.json that holds %j is reported as broken and left as it is',
  async (content) => {
    const folder = mkdtempSync(join(tmpdir(), 'spindle-secrets-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'secrets.json')
    writeFileSync(file, content)
    await expect(localSecrets(folder, 'npm start -- --reset')).rejects.toThrow(
      `${file} is broken: it holds the secrets of the data beside it. Bring back the file as it was, or run \`npm start -- --reset\` to begin with an empty folder`,
    )
    expect(readFileSync(file, 'utf8')).toBe(content)
  },
)
