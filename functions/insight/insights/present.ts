import type { InsightKind } from '../../../drizzle/schema/insights.ts'
import type { DeclineCode } from '../../../src/processors/port.ts'
import type { InsightRow } from './store.ts'

const advice: { readonly [K in InsightKind]: { readonly es: string; readonly en: string } } = {
  payments_few: {
    es: 'Abre tu liga o tu página de pago y compra algo: puede que tu sitio ya no lleve a ella.',
    en: 'Open your link or checkout and buy something: your site may not lead to it any more.',
  },
  payments_many: {
    es: 'Si no es por una campaña tuya, mira quién compra y qué antes de entregar.',
    en: 'Unless a campaign of yours explains it, see who buys what before you deliver.',
  },
  cards_declined: {
    es: 'Mira en los rechazos por qué: si son muchas tarjetas distintas, alguien las está probando.',
    en: 'See the declines for the reason: many different cards mean that somebody is trying them out.',
  },
  refunds_many: {
    es: 'Mira en la bitácora quién los hizo, y si tienen un producto en común.',
    en: 'See in the audit trail who made them, and whether they have an item in common.',
  },
  disputes_many: {
    es: 'Busca lo que los pagos tienen en común, y manda los siguientes a revisión con una regla.',
    en: 'Look for what the payments have in common, and send the next ones to review with a rule.',
  },
  payouts_failed: {
    es: 'Revisa la cuenta bancaria a la que van; el dinero sigue en tu saldo.',
    en: 'Check the bank account that they go to; the money is in your balance.',
  },
  webhooks_failed: {
    es: 'Mira lo que tu servidor respondió. Lo que falta se sigue enviando, o pídelo con una recuperación.',
    en: 'See what your server answered. What is missing is sent again, or on request by a recovery.',
  },
}

/** An insight as the interface shows it. */
export const presentInsight = (insight: InsightRow) => ({
  id: insight.id,
  object: 'insight' as const,
  status: insight.status,
  kind: insight.kind,
  advice: { ...advice[insight.kind] },
  evidence: { ...insight.evidence, decline_code: insight.evidence.decline_code as DeclineCode | null },
  answered_by:
    insight.answeredByUserId === null
      ? null
      : { user_id: insight.answeredByUserId, email: insight.answeredByEmail! },
  ended_at: insight.endedAt?.toISOString() ?? null,
  version: insight.version,
  created_at: insight.createdAt.toISOString(),
  updated_at: insight.updatedAt.toISOString(),
})
