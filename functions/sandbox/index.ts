import { advanceClock, getClock } from './operations-clock.ts'

/** What only the sandbox has: the levers of the simulated outside world. */
export const sandboxOperations = [getClock, advanceClock]
