import { sold } from './app.ts'
import { handlersFor } from './handlers.ts'

export default handlersFor(sold)
