import { queriesOf } from '../../../functions/order/sales/api.ts'
import type { HostedOrigin } from '../../../functions/page/hosted-payment/api.ts'
import { adjust, expect } from '../../../src/kernel/plan.ts'
import { donations } from './tables.ts'

const queries = queriesOf(donations, 'donation')
const forSale = queries.forSale({})

export const words: HostedOrigin['words'] = {
  'es-MX': {
    busy: { title: 'Alguien está donando', detail: (merchant) => `${merchant} recibe otro donativo.` },
    changed: { title: 'El donativo cambió', detail: (merchant) => `${merchant} cambió los límites.` },
  },
  en: {
    busy: {
      title: 'Someone is donating',
      detail: (merchant) => `${merchant} is receiving another donation.`,
    },
    changed: { title: 'The donation has changed', detail: (merchant) => `${merchant} changed the limits.` },
  },
}

/** An origin of the tests alone. */
export const donationOrigin: HostedOrigin<typeof donations.$inferSelect> = {
  kind: 'donation',
  publicIdPrefix: 'sdon',
  writeScopes: ['hosted_checkout:write'],
  ...queries.origin,
  loadForSale: (publicId) => forSale({ publicId }),
  condition: ({ originId, termsVersion }) => expect(donations, originId, { status: 'open', termsVersion }),
  sale: (donation) => ({
    originId: donation.id,
    publicId: donation.publicId,
    termsVersion: donation.termsVersion,
    asksVersion: 1,
    policyVersion: donation.policyVersion,
    locationId: donation.locationId,
    description: donation.title,
    amount: { amountMinorMin: donation.amountMinorMin, amountMinorMax: donation.amountMinorMax },
    currency: 'mxn',
    methods: ['card', 'oxxo', 'spei'],
    captureMethod: 'automatic',
    installmentMonths: [],
    installmentPlanMonths: null,
    feeAllocation: 'absorb',
    merchantMarkupBps: 0,
    exclusive: false,
    expiresAt: null,
  }),
  closedBecause: (donation) => (donation.status === 'ended' ? 'ended' : null),
  states: {
    ended: {
      status: 410,
      icon: 'check',
      tone: 'good',
      words: {
        'es-MX': { title: 'La colecta terminó', detail: (merchant) => `${merchant} agradece tu interés.` },
        en: { title: 'The collection is over', detail: (merchant) => `${merchant} thanks you.` },
      },
    },
  },
  words,
  onSuccess: (donation, payment) => ({
    writes: [adjust(donations, donation.id, { raisedMinor: payment.amountCapturedMinor })],
    events: [],
  }),
}
