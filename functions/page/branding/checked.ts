import type { Raster, Unfit } from '../../../src/kernel/images/raster.ts'
import type { Logo } from '../../../src/kernel/look.ts'
import { type Refusal, refuse } from '../../../src/kernel/plan.ts'

type LogoError =
  | 'logo_empty'
  | 'logo_too_large'
  | 'logo_type_unsupported'
  | 'logo_malformed'
  | 'logo_dimensions_refused'
  | 'logo_unsafe'

export type Checked = Raster<Logo['content_type']> | Refusal<LogoError>

export const logoBytesMax = 256 * 1024

export const refusedAs = ({ unfit, ...more }: Unfit): Refusal<LogoError> =>
  refuse(`logo_${unfit}`, { param: 'content', ...more })
