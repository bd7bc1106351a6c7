import type { Reply, Work } from '../../../local/gateway.ts'
import { answer } from '../../../local/gateway-server.ts'
import { startRedisGateway } from '../../../local/redis-gateway.ts'
import { answerHalf, controls, cut, HTML_ERROR_PAGE, untilGone } from './controls.ts'

/**
 * refuse: the connection is cut, nothing ran · hang: nothing runs and nothing is answered · reset: it ran (unless
 * `executed: false`), then the connection is cut · 5xx: an HTML error page; nothing ran unless `executed` · nonsense:
 * well-formed JSON that answers something else; nothing ran unless `executed` · stale: reads answer what they answered
 * before, SET NX succeeds on a key that exists · swapped: reads answer with another key's value · truncated: it ran, half
 * the answer arrives.
 */
export type RedisFaultMode =
  | 'refuse'
  | 'hang'
  | 'reset'
  | '5xx'
  | 'nonsense'
  | 'stale'
  | 'swapped'
  | 'truncated'

export function redisControls() {
  const memory = new Memory()
  const execute = async (work: Work): Promise<Reply> => {
    const reply = await work.execute()
    memory.remember(work, reply)
    return reply
  }
  return controls<RedisFaultMode>(
    async (fault, work, response) => {
      switch (fault.mode) {
        case 'refuse':
          return cut(response)
        case 'hang':
          await untilGone(response, fault.delayMs)
          return cut(response)
        case 'reset':
          if (fault.executed !== false) await execute(work)
          return cut(response)
        case 'truncated':
          return answerHalf(response, (await execute(work))[1])
        case 'stale':
        case 'swapped': {
          const falsify = memory.lie(fault.mode, work)
          return answer(response, ...falsify(await execute(work)))
        }
      }
      if (fault.executed) await execute(work)
      if (fault.mode === '5xx') return answer(response, 503, HTML_ERROR_PAGE, 'text/html')
      answer(response, 200, nonsense())
    },
    (work, reply) => memory.remember(work, reply),
  )
}

/** Redis' gateway with its controls. */
export async function startControlledRedis(options: Parameters<typeof startRedisGateway>[0]) {
  const { between, controls } = redisControls()
  return { ...(await startRedisGateway(options, between)), ...controls }
}

const NONSENSE = [
  'bm90IHdoYXQgeW91IGFza2VkIGZvcg==',
  12345,
  [],
  { result: null },
  '%%%',
  true,
  'eyJicm9rZW4iOiA=',
  -1,
  'OK',
  '',
]
let nonsenseTurn = 0

/** Valid JSON, each time another kind of wrong: a result of the wrong type, or none at all. */
function nonsense(): string {
  const turn = nonsenseTurn++
  if (turn % 7 === 5) return '"hello"'
  if (turn % 7 === 6) return '[]'
  return JSON.stringify({ result: NONSENSE[turn % NONSENSE.length] })
}

const KEPT_ANSWERS = 5_000

/** Earlier answers to GET, to falsify later ones with. */
class Memory {
  #answers = new Map<string, { key: string; result: unknown }>()

  remember({ database, command: [name = '', key = ''] = [] }: Work, [status, body]: Reply): void {
    if (name.toUpperCase() !== 'GET' || status !== 200) return
    const { result } = JSON.parse(body) as { result: unknown }
    this.#answers.set(`${database} ${key}`, { key, result })
    if (this.#answers.size > KEPT_ANSWERS) this.#answers.delete(this.#answers.keys().next().value ?? '')
  }

  /** How to falsify the true reply to a command. Call it before the command runs. */
  lie(
    mode: 'stale' | 'swapped',
    { database, command: [name = '', key = '', ...options] = [] }: Work,
  ): (truth: Reply) => Reply {
    const isClaim = name.toUpperCase() === 'SET' && options.some((part) => part.toUpperCase() === 'NX')
    if (mode === 'stale' && isClaim) return () => saying('OK')
    if (name.toUpperCase() !== 'GET') return (truth) => truth
    if (mode === 'stale') {
      const earlier = this.#answers.get(`${database} ${key}`)
      return () => saying(earlier?.result ?? null)
    }
    const others = [...this.#answers.values()].filter((each) => each.key !== key && each.result !== null)
    return (truth) => (others.length > 0 ? saying(others.at(-1)?.result) : truth)
  }
}

const saying = (result: unknown): Reply => [200, JSON.stringify({ result })]
