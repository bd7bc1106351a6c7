import { handlersFor } from '../../../src/handlers.ts'

async function loadOrigins() {
  const [{ donationOrigin }, { billOrigin }, { origins }] = await Promise.all([
    import('./donation.ts'),
    import('./table-bill.ts'),
    import('../../../src/generated/origins.ts'),
  ])
  return { ...origins, [donationOrigin.kind]: donationOrigin, [billOrigin.kind]: billOrigin }
}

/** The product's Worker with two more origins. */
export default handlersFor(loadOrigins, async () => Object.values(await loadOrigins()))
