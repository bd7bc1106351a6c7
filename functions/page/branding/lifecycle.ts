import { fileLifecycle } from '../../../src/kernel/stored-files.ts'

export const logoLifecycle = fileLifecycle('logos')
