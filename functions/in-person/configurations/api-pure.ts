/** The shapes of configurations. No I/O. */
export {
  configurationTold,
  exampleAllowance,
  exampleTold,
  OfflineAllowance,
  presetsMax,
  tipPreset,
} from './contract.ts'
export { presentAllowance, presentSaid } from './present.ts'
export type { AllowanceRow, ConfigurationRow } from './store.ts'
