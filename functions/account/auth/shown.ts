import { type AuthRoute, ceremony } from './routes.ts'

/** What a route's reply declares; nothing else that the library adds to a row can slip out. */
export const shown = ({ reply }: AuthRoute, value: object): unknown => {
  const answer = JSON.parse(JSON.stringify(value))
  return reply.schema.parse(reply.schema === ceremony ? answer : inOurWords(answer))
}

/** The library's fields, `totpURI`, as the interface names them, `totp_uri`. */
function inOurWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOurWords)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeCased(name), inOurWords(each)]))
}

const snakeCased = (name: string) =>
  name.replace(/([a-z])([A-Z]+)/g, (_, before, capitals) => `${before}_${capitals.toLowerCase()}`)
