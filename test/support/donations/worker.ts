import { handlersFor } from '../../../src/handlers.ts'

/** The product's Worker with one more origin. */
export default handlersFor(async () => {
  const [{ donationOrigin }, { origins }] = await Promise.all([
    import('./origin.ts'),
    import('../../../src/generated/origins.ts'),
  ])
  return { ...origins, [donationOrigin.kind]: donationOrigin }
})
