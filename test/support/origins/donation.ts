import { and, eq, getTableColumns } from 'drizzle-orm'
import { payments } from '../../../drizzle/schema/payments.ts'
import { levelsOfSale } from '../../../functions/money/payment-policy/api.ts'
import type { HostedOrigin } from '../../../functions/page/hosted-payment/api.ts'
import { adjust, expect } from '../../../src/kernel/plan.ts'
import { build, ownTenant, rowOf, select, slot } from '../../../src/platform/query.ts'
import { donations } from './tables.ts'

type DonationRow = typeof donations.$inferSelect

const donationById = select<DonationRow>((has) =>
  build
    .select()
    .from(donations)
    .where(
      and(
        ownTenant(donations),
        has('publicId') ? eq(donations.publicId, slot('publicId')) : eq(donations.id, slot('id')),
      ),
    ),
)

const donationOfPayment = select<DonationRow>(() =>
  build
    .select(getTableColumns(donations))
    .from(donations)
    .innerJoin(
      payments,
      and(
        eq(payments.tenantId, donations.tenantId),
        eq(payments.originType, 'donation'),
        eq(payments.originId, donations.id),
      ),
    )
    .where(and(ownTenant(donations), eq(payments.id, slot('paymentId')))),
)

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
export const donationOrigin: HostedOrigin<DonationRow> = {
  kind: 'donation',
  publicIdPrefix: 'sdon',
  writeScope: 'hosted_checkout:write',
  load: (id) => donationById({ id }),
  loadFor: (paymentId) => donationOfPayment({ paymentId }),
  loadByPublicId: (publicId) => donationById({ publicId }),
  policyOf: levelsOfSale(donations),
  lock: (id) => expect(donations, id, {}),
  condition: ({ originId, termsVersion }) => expect(donations, originId, { status: 'open', termsVersion }),
  read: (record) => rowOf(donations, record),
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
