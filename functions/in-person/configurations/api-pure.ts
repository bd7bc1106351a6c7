/** The shapes of configurations. No I/O. */
export { configurationTold, exampleTold, presetsMax, tipPreset } from './contract.ts'
export { presentSaid } from './present.ts'
export type { ConfigurationRow } from './store.ts'
