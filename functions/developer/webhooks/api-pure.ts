/** How a delivery is shown, and how an event is sent once more. */
export { Delivery, exampleDelivery } from './contract-deliveries.ts'
export { receives, redeliveryOf } from './plan.ts'
export { presentDelivery } from './present.ts'
export type { DeliveryRow, EndpointRow } from './store.ts'
