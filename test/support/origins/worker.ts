import { soldBy } from '../../../src/app.ts'
import { handlersFor } from '../../../src/handlers.ts'

const own = async () => {
  const [{ donationOrigin }, { billOrigin }] = await Promise.all([
    import('./donation.ts'),
    import('./table-bill.ts'),
  ])
  return [donationOrigin, billOrigin]
}

/** The product's Worker with two more origins. */
export default handlersFor(
  soldBy(
    async () => {
      const { origins } = await import('../../../src/generated/origins.ts')
      const more = (await own()).map((origin) => [origin.kind, async () => origin] as const)
      return { ...origins, ...Object.fromEntries(more) }
    },
    async () => [...(await import('../../../src/generated/origin-facts.ts')).originFacts, ...(await own())],
  ),
)
