import type { ServerResponse } from 'node:http'
import type { Work } from '../../../local/gateway.ts'
import { answer } from '../../../local/gateway-server.ts'
import { neonRefusals, startNeonGateway } from '../../../local/neon-gateway.ts'
import { answerHalf, controls, cut, HTML_ERROR_PAGE, untilGone } from './controls.ts'
import type { FaultOrder } from './faults.ts'

/**
 * refuse, reset-before-send: the connection is cut, nothing ran · reset-after-commit: it ran and committed, then the
 * connection is cut · hang: nothing runs and nothing is answered · late-commit: it runs and commits after the client gave
 * up (or after `delayMs`) · 5xx-html, 400-without-sqlstate, 507: that answer; nothing ran unless `executed` · 413, 53300,
 * rate-limit: that answer, and nothing ran · truncated-json: it ran unless `executed: false`, and half the answer arrives.
 */
export type NeonFaultMode =
  | 'refuse'
  | 'reset-before-send'
  | 'reset-after-commit'
  | 'hang'
  | 'late-commit'
  | '5xx-html'
  | '400-without-sqlstate'
  | keyof typeof neonRefusals
  | 'truncated-json'

export const neonControls = () => controls<NeonFaultMode>(misbehave)

/** Neon's gateway with its controls. */
export async function startControlledNeon(options: Parameters<typeof startNeonGateway>[0]) {
  const { between, controls } = neonControls()
  return { ...(await startNeonGateway(options, between)), ...controls }
}

async function misbehave(
  fault: FaultOrder<NeonFaultMode>,
  work: Work,
  response: ServerResponse,
): Promise<void> {
  switch (fault.mode) {
    case 'refuse':
    case 'reset-before-send':
      return cut(response)
    case 'reset-after-commit':
      await work.execute()
      return cut(response)
    case 'hang':
      await untilGone(response, fault.delayMs)
      return cut(response)
    case 'late-commit': {
      await untilGone(response, fault.delayMs)
      return answer(response, ...(await work.execute()))
    }
    case 'truncated-json': {
      if (fault.executed === false) return answerHalf(response, '{"results":[{"command":"SELECT","rows":[[')
      const [, body] = await work.execute()
      return answerHalf(response, body)
    }
  }
  if (fault.executed) await work.execute()
  if (fault.mode === '5xx-html') return answer(response, 502, HTML_ERROR_PAGE, 'text/html')
  if (fault.mode === '400-without-sqlstate')
    return answer(response, 400, '{"message":"Control plane request failed","code":null}')
  answer(response, ...neonRefusals[fault.mode])
}
