import type { BackgroundWork } from '../../../src/http/system-call.ts'
import { type Hint, handleNotification } from '../../money/notifications/api.ts'
import type { PaymentOrigins } from '../../money/payments/api.ts'

/** The sandbox's only processor. */
export const processor = 'simulator'

/** The simulator tells what it did, as a processor notifies us. */
export const tell = (
  work: BackgroundWork,
  origins: PaymentOrigins,
  hint: Omit<Hint, 'processor'>,
): Promise<void> => handleNotification(work, origins, { processor, ...hint })
