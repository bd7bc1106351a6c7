import type { Expected, Statement, Verdict } from './port.ts'

/** Whether a phone is what it says. What verifies a platform is loaded with the first statement of that platform. */
export async function verify(said: Statement, expected: Expected): Promise<Verdict> {
  switch (said.provider) {
    case 'app_attest': {
      const [{ verifyAppAttest }, { appleRoot }] = await Promise.all([
        import('./app-attest.ts'),
        import('./apple-root.ts'),
      ])
      return verifyAppAttest(said, expected, appleRoot)
    }
    case 'play_integrity':
      return (await import('./play-integrity.ts')).verifyPlayIntegrity(said, expected)
    case 'sandbox':
      return (await import('./sandbox.ts')).verifySandbox(said)
  }
}
