/** Fewer decided payments than this say too little for a rate: the interval alone is shown. */
export const rateCountMin = 30

export interface Rate {
  /** Basis points, rounded half up; null where too few were decided. */
  readonly rate_bps: number | null
  /** In which the rate lies with 95 % confidence (Wilson's interval), rounded outwards; null where none was decided. */
  readonly rate_low_bps: number | null
  readonly rate_high_bps: number | null
}

/** The standard normal's value for 95 %. */
const z = 1.959964

/** The rate of `hits` in `decided`, and Wilson's interval around it (https://doi.org/10.1080/01621459.1927.10502953). */
export function rateOf(hits: number, decided: number): Rate {
  if (decided === 0) return { rate_bps: null, rate_low_bps: null, rate_high_bps: null }
  const share = hits / decided
  const spread = (z * z) / decided
  const center = (share + spread / 2) / (1 + spread)
  const margin = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / decided + spread / (4 * decided))
  return {
    rate_bps: decided < rateCountMin ? null : Math.floor((2 * hits * 10_000 + decided) / (2 * decided)),
    rate_low_bps: hits === 0 ? 0 : Math.max(0, Math.floor((center - margin) * 10_000)),
    rate_high_bps: hits === decided ? 10_000 : Math.min(10_000, Math.ceil((center + margin) * 10_000)),
  }
}
