import { areas } from '../src/app.ts'
import type { Operation } from '../src/http/operation.ts'

// Only for tools and tests: the Worker loads each area with its first request.

const loaded = await Promise.all(areas.map(({ load }) => load()))

/** Every operation of the interface. Rights in the database, OpenAPI and the test matrix read this list. */
export const operations: readonly Operation[] = loaded.flatMap((each) => ('length' in each ? each : []))
