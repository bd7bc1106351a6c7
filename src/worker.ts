import { loadFacts, loadOrigins } from './app.ts'
import { handlersFor } from './handlers.ts'

export default handlersFor(loadOrigins, loadFacts)
