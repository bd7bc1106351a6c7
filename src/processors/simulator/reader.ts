import type {
  QuestionState,
  ReaderOrder,
  ReaderQuestion,
  RegisteredReader,
  RegistrationFailure,
} from '../in-person.ts'
import { isWholeAddress } from '../place.ts'

/** What a simulated reader shows, as Stripe's do: https://docs.stripe.com/terminal/references/testing */
const code = /^simulated-s700(-[a-z]+)?$/

/** A reader of the sandbox: the same for the same order, however often it is asked. */
export function simulatedReader({
  reference,
  code: shown,
  place,
}: ReaderOrder): RegisteredReader | RegistrationFailure {
  if (!isWholeAddress(place.address)) return { state: 'place_unfit' }
  if (!code.test(shown)) return { state: 'code_refused' }
  const [device = ''] = reference.split(':')
  return {
    state: 'registered',
    readerRef: `sim_${device}`,
    placeRef: `sim_${place.id}`,
    model: 'simulated_stripe_s700',
    serialNumber: device.slice(-12).toUpperCase(),
    softwareVersion: null,
  }
}

const typed = { email: 'ana@example.com', phone: '+525512345678', numeric: '1024', text: 'Gracias' }

/** Its buyer answers at once: the first choice, and what stands here. */
export const simulatedAnswers = ({ inputs }: ReaderQuestion): QuestionState => ({
  state: 'answered',
  answers: inputs.map(({ type, choices }) => (type === 'selection' ? choices![0]!.id : typed[type])),
})
