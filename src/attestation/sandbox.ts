import { base64UrlOf, bytesOf, isSignedBy, utf8 } from './bytes.ts'
import { failed, type Statement, type Verdict } from './port.ts'

/** What a phone of the sandbox signs. */
export const sandboxText = ({
  challenge,
  app,
  outcome,
}: Pick<Statement, 'challenge' | 'app' | 'outcome'>): string => `${challenge}.${app}.${outcome}`

/** A phone of the sandbox proves that it has its key; how the rest ends it says itself. */
export async function verifySandbox(said: Statement): Promise<Verdict> {
  const [point, signature] = [bytesOf(said.key ?? ''), bytesOf(said.statement)]
  if (!point || !signature) return failed('malformed')
  if (!(await isSignedBy(point, signature, utf8(sandboxText(said))))) return failed('wrong_signature')
  if (said.outcome !== 'genuine') return failed(said.outcome)
  if (point.length !== 65) return failed('malformed')
  return { state: 'verified', environment: 'production', publicKey: base64UrlOf(point), signCount: null }
}
