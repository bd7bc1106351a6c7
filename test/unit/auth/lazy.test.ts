import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Packages that are evaluated when `file` is: plain imports, followed through our own files, without types and
 * `import()`.
 */
function packagesOf(file: string, seen = new Set<string>(), found = new Set<string>()): Set<string> {
  if (seen.has(file)) return found
  seen.add(file)
  const plainImport = /^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gms
  for (const [statement, from] of readFileSync(file, 'utf8').matchAll(plainImport)) {
    if (/^import \{(?:\s*type \w+,?\s*)+\}/.test(statement)) continue
    if (from!.startsWith('.')) packagesOf(join(dirname(file), from!), seen, found)
    else found.add(from!)
  }
  return found
}

test.each([
  'functions/account/auth/index.ts',
  'functions/account/auth/session.ts',
  'functions/account/auth/access.ts',
])('%s loads nothing of the identity library at start-up', (file) => {
  const loaded = [...packagesOf(file)].sort()
  expect(loaded.filter((name) => /better-auth|simplewebauthn/.test(name))).toEqual([])
})

test('the libraries are loaded where they are used', () => {
  expect(packagesOf('functions/account/auth/identity.ts')).toContain('better-auth/minimal')
  expect(packagesOf('functions/account/auth/passkey-factor.ts')).toContain('@simplewebauthn/server')
})
