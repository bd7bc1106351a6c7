import { paths } from '../generated/paths.ts'
import { nearest } from '../kernel/nearest.ts'

const isParam = (part: string) => part.startsWith(':')
const partsOf = (path: string) => path.split('/').filter((part) => part !== '')

/** Ends as the other does, where each parameter of the operation's path stands for any one part. */
const endsLike = (path: readonly string[], asked: readonly string[]): boolean =>
  path.length >= asked.length &&
  asked.every((part, at) => {
    const meant = path[path.length - asked.length + at]!
    return meant === part || isParam(meant)
  }) &&
  !isParam(path[path.length - asked.length]!)

/** The operation that a request to no address most likely meant, as `GET /v1/refunds`; null where none is near. */
export function meantBy(method: string, path: string): string | null {
  const [version, ...asked] = partsOf(path)
  if (version !== 'v1' || asked.length === 0) return null
  const ofMethod = paths.filter((each) => each.startsWith(`${method} `))
  const [below] = ofMethod
    .filter((each) => endsLike(partsOf(each.split(' ')[1]!), asked))
    .toSorted((one, other) => partsOf(one).length - partsOf(other).length)
  return below ?? nearest(`${method} ${path}`, ofMethod)[0] ?? null
}
