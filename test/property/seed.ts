import fc from 'fast-check'

/** Each file draws a seed and logs it; `SEED=… npx vitest run <file>` runs it again. */
const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))

fc.configureGlobal({
  seed,
  numRuns: Number(process.env.RUNS ?? 300),
  // Before Vitest's time-out, which would not say the seed.
  interruptAfterTimeLimit: 25_000,
  markInterruptAsFailure: true,
})
console.log(`property tests: SEED=${seed}`)
