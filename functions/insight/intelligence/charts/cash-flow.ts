import { scaleBand, scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { formatShort } from '../../../../src/kernel/format.ts'
import type { Locale } from '../../../../src/kernel/locale.ts'
import type { CashFlowForecast } from '../present.ts'
import { at, framed, svg, width } from './frame.ts'
import { words } from './words.ts'

const [left, right, top, plotHeight] = [96, 16, 104, 240]
const bottom = top + plotHeight
/** So many days are named below the axis. */
const namedDaysMax = 8

/** Where something stands: coordinates alone, no amount that anybody reads. */
const placed = (minor: string | bigint): number => Number(minor)

/**
 * A bar for what is certain on each day; above it the band from the least of the last weeks to the greatest, and the line of the middle one.
 * The days on which the balance leaves for the bank are marked.
 */
export function cashFlowChart(forecast: CashFlowForecast, locale: Locale): string {
  const say = words[locale]
  const money = (minor: bigint) => formatShort(minor, forecast.currency, locale).replace(/[.,]00$/, '')
  const days = forecast.days.map(({ day, certain, likely }) => {
    const certainMinor = BigInt(certain.amount_released) + BigInt(certain.amount_reserve_released)
    const above = (minor: string) => certainMinor + BigInt(minor)
    return {
      day,
      certainMinor,
      likely: likely && { p10: above(likely.p10), p50: above(likely.p50), p90: above(likely.p90) },
    }
  })
  const all = days.flatMap(({ certainMinor, likely }) => [certainMinor, likely?.p10 ?? 0n, likely?.p90 ?? 0n])
  const x = scaleBand(
    days.map(({ day }) => day),
    [left, width - right],
  ).padding(0.25)
  const y = scaleLinear(
    [Math.min(0, ...all.map(placed)), Math.max(100, ...all.map(placed))],
    [bottom, top],
  ).nice(5)
  const middle = (day: string) => x(day)! + x.bandwidth() / 2
  const known = days.flatMap(({ day, likely }) => (likely ? [{ day, ...likely }] : []))
  type Known = (typeof known)[number]
  const band = area<Known>(
    ({ day }) => middle(day),
    ({ p10 }) => y(placed(p10)),
    ({ p90 }) => y(placed(p90)),
  ).digits(2)(known)
  const half = line<Known>(
    ({ day }) => middle(day),
    ({ p50 }) => y(placed(p50)),
  ).digits(2)(known)
  /** A day alone has no band: a mark from the least week to the greatest, with the middle one. */
  const lone = ({ day, p10, p50, p90 }: Known) => {
    const [low, half, high] = [p10, p50, p90].map((minor) => at(y(placed(minor))))
    const [center, begins] = [middle(day), middle(day) - 8].map(at)
    return svg`<path class="range" d="M${center!} ${low!}V${high!}M${begins!} ${low!}h16M${begins!} ${high!}h16"/>
<path class="likely" d="M${begins!} ${half!}h16"/>
`
  }
  // Today's is not on the axis.
  const payouts = forecast.payouts.filter(({ day }) => x(day) !== undefined)
  const step = Math.ceil(days.length / namedDaysMax)
  const errors = forecast.errors.flatMap(({ days_ahead, amount_mean }) =>
    amount_mean === null ? [] : [say.error(days_ahead, money(BigInt(amount_mean)))],
  )
  const notes = known.length < days.length ? [say.young, ...errors] : errors
  return framed({
    locale,
    height: bottom + 44 + notes.length * 20,
    title: say.ahead,
    detail: say.asOf(forecast.as_of, forecast.currency.toUpperCase()),
    drawing: svg`${legend(locale)}${y.ticks(5).map(
      (
        tick,
      ) => svg`<line class="axis" x1="${left}" x2="${width - right}" y1="${at(y(tick))}" y2="${at(y(tick))}"/>
<text class="soft end" x="${left - 8}" y="${at(y(tick) + 4)}">${money(BigInt(Math.round(tick)))}</text>
`,
    )}${payouts.map(
      ({ day }) => svg`<path class="day" d="M${at(middle(day))} ${top}V${bottom}"/>
<text class="mid" x="${at(middle(day))}" y="${top - 4}">▼</text>
`,
    )}${days.map(
      ({
        day,
        certainMinor,
      }) => svg`<rect class="bar" x="${at(x(day)!)}" width="${at(x.bandwidth())}" y="${at(Math.min(y(placed(certainMinor)), y(0)))}" height="${at(Math.abs(y(placed(certainMinor)) - y(0)))}"><title>${day}: ${money(certainMinor)}</title></rect>
`,
    )}${known.length === 1 ? lone(known[0]!) : ''}${band === null || known.length < 2 ? '' : svg`<path class="band" d="${band}"/>`}
${half === null || known.length < 2 ? '' : svg`<path class="likely" d="${half}"/>`}
${days.map(({ day }, index) =>
  index % step === 0
    ? svg`<text class="soft mid" x="${at(middle(day))}" y="${bottom + 18}">${day.slice(5)}</text>
`
    : '',
)}${notes.map(
  (note, index) => svg`<text class="soft" x="16" y="${bottom + 46 + index * 20}">${note}</text>
`,
)}`,
  })
}

function legend(locale: Locale) {
  const say = words[locale]
  return svg`<rect class="bar" x="16" y="62" width="14" height="12"/><text x="36" y="73">${say.certain}</text>
<path class="likely" d="M110 68h24"/><text x="140" y="73">${say.likely}</text>
<rect class="band" x="220" y="62" width="14" height="12"/><text x="240" y="73">${say.band}</text>
<text x="500" y="73">▼ ${say.payout}</text>
`
}
