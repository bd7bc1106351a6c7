import { operations } from '../../local/operations.ts'
import { creatorOf } from '../../local/samples.ts'
import type { Operation } from '../../src/http/operation.ts'
import { withKey } from './listing.ts'
import { fieldsOf, request, send } from './requests.ts'
import { type List, listsOfAreas } from './samples.ts'

export type { List, ListWorld as World } from './samples.ts'

const isPaged = ({ contract }: Operation) => fieldsOf(contract.query).some(({ name }) => name === 'cursor')

/** Where its area says nothing else, a list gets a row by the operation that creates at its path. */
const byItsCreator = (list: Operation): [string, List][] => {
  const { id, path } = list.contract
  const creator = creatorOf(`${path}/:id`)
  return isPaged(list) && creator && !(id in listsOfAreas)
    ? [[id, withKey(path, async (world) => request(creator, world).then(send))]]
    : []
}

/** Every list that has pages: where it is, and how it gets another row. */
export const lists: Record<string, List> = {
  ...Object.fromEntries(operations.flatMap(byItsCreator)),
  ...listsOfAreas,
}
