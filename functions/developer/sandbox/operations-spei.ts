import { type Operation, operation } from '../../../src/http/operation.ts'
import { mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { amountMinorMax } from '../../../src/kernel/money.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import type { Deposit } from '../../../src/processors/port.ts'
import { arrive } from '../../../src/processors/simulator/spei.ts'
import type { PaymentOrigins } from '../../money/payments/api.ts'
import * as contracts from './contract-spei.ts'
import { self } from './store.ts'
import { tell } from './tell.ts'

/** Test control of the simulated sending banks. Its transfers reach us like any notification of a processor. */
export function speiOperations(origins: PaymentOrigins): Operation[] {
  const deposit = operation(contracts.deposit, async ({ body, now, read, publish, ...call }) => {
    const { services, idempotencyKey } = call
    if (BigInt(body.amount) > amountMinorMax) return call.fail('amount_above_maximum', { param: 'amount' })
    const [tenant] = await read(self())
    const account = tenant!.tenantId
    const arrived = await arrive(services.db.call, {
      // A retry is the first transfer, also after midnight, when today is another day.
      depositRef: (await sha256Hex(`deposit:${account}:${idempotencyKey}`)).slice(0, 32),
      clabe: body.clabe,
      account,
      amountMinor: BigInt(body.amount),
      claveRastreo: body.clave_rastreo ?? (await claveOf(account, idempotencyKey)),
      senderBank: body.sender_bank,
      senderClabe: body.sender_clabe ?? null,
      senderName: body.sender_name ?? null,
      operatedOn: body.operated_on ?? mexicoCityDate(now),
    })
    await tell(call, origins, { kind: 'deposit', reference: arrived.depositRef })
    return publish({ writes: [], events: [], reply: presentDeposit(arrived) })
  })
  return [deposit]
}

/** A retry with the same key is the same transfer. Letters only: digits could look like a card number by chance. */
export async function claveOf(account: string, key: string): Promise<string> {
  const digest = await sha256Hex(`${account}:${key}`)
  return `SBX${digest
    .slice(0, 24)
    .replace(/\d/g, (digit) => 'GHIJKLMNOP'[Number(digit)]!)
    .toUpperCase()}`
}

const presentDeposit = (deposit: Deposit) => ({
  object: 'sandbox_spei_deposit' as const,
  clabe: deposit.clabe,
  amount: deposit.amountMinor.toString(),
  currency: deposit.currency,
  clave_rastreo: deposit.claveRastreo,
  sender_bank: deposit.senderBank,
  sender_clabe: deposit.senderClabe,
  sender_name: deposit.senderName,
  operated_on: deposit.operatedOn,
})
