import { handlersFor } from '../../../src/handlers.ts'

/** The product's Worker with one more origin. */
export default handlersFor(async () => {
  const [{ donationOrigin }, { origins, originsOf }] = await Promise.all([
    import('./origin.ts'),
    import('../../../src/origins.ts'),
  ])
  return originsOf(...Object.values(origins), donationOrigin)
})
