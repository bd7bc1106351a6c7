/** What other areas may import of webhooks: an endpoint, what it has taken and what waits for it. */
export { endpointById, endpointIds, takenEvents, waitingDeliveries } from './store.ts'
