import { scaleBand, scaleLinear } from 'd3-scale'
import type { Locale } from '../../../../src/kernel/locale.ts'
import type { AcceptanceReport } from '../present.ts'
import { at, framed, svg, width } from './frame.ts'
import { words } from './words.ts'

/** More groups make no picture: the reply in JSON has them. */
const groupsMax = 20
const [left, right, top, rowHeight] = [150, 180, 72, 30]

type Row = Pick<
  AcceptanceReport,
  'accepted_count' | 'declined_count' | 'rate_bps' | 'rate_low_bps' | 'rate_high_bps'
> & { readonly label: string }

/** A bar for each group's rate, with the interval in which it lies; a group with too few payments has the interval alone. */
export function acceptanceChart(report: AcceptanceReport, locale: Locale): string {
  const say = words[locale]
  const shown = report.groups.slice(0, groupsMax)
  const rows: Row[] = [
    { ...report, label: say.all },
    ...shown.map((group) => ({ ...group, label: group.group ?? say.unnamed })),
  ]
  const left_ = report.groups.length - shown.length
  const bottom = top + rows.length * rowHeight
  const x = scaleLinear([0, 10_000], [left, width - right])
  const y = scaleBand(
    rows.map((_, index) => index),
    [top, bottom],
  ).padding(0.35)
  return framed({
    locale,
    height: bottom + (left_ > 0 ? 68 : 48),
    title: say.accepted,
    detail: say.period(report.begins_on, report.ends_on, report.currency.toUpperCase()),
    drawing: svg`${[0, 2_500, 5_000, 7_500, 10_000].map(
      (bps) => svg`<line class="axis" x1="${at(x(bps))}" x2="${at(x(bps))}" y1="${top}" y2="${bottom}"/>
<text class="soft mid" x="${at(x(bps))}" y="${top - 6}">${bps / 100} %</text>
`,
    )}${rows.map((row, index) => drawRow(row, { x, top: y(index)!, height: y.bandwidth(), locale }))}${
      left_ > 0 ? svg`<text class="soft" x="16" y="${bottom + 22}">${say.more(left_)}</text>` : ''
    }<text class="soft" x="16" y="${bottom + (left_ > 0 ? 48 : 28)}">${say.interval}</text>`,
  })
}

interface Place {
  readonly x: (bps: number) => number
  readonly top: number
  readonly height: number
  readonly locale: Locale
}

function drawRow(row: Row, { x, top, height, locale }: Place) {
  const say = words[locale]
  const decided = row.accepted_count + row.declined_count
  const { rate_bps: rate, rate_low_bps: low, rate_high_bps: high } = row
  const middle = top + height / 2
  const said =
    decided === 0
      ? say.none
      : rate === null
        ? say.few(decided)
        : `${(rate / 100).toFixed(2)} % · ${say.of(row.accepted_count, decided)}`
  return svg`<text class="end" x="${left - 12}" y="${at(middle + 4)}">${short(row.label)}</text>
${rate === null ? '' : svg`<rect class="bar" x="${at(x(0))}" y="${at(top)}" width="${at(x(rate) - x(0))}" height="${at(height)}"/>`}
${low === null || high === null ? '' : svg`<path class="range" d="M${at(x(low))} ${at(middle)}H${at(x(high))}M${at(x(low))} ${at(middle - 5)}v10M${at(x(high))} ${at(middle - 5)}v10"/>`}
<text x="${width - right + 12}" y="${at(middle + 4)}">${said}</text>
`
}

/** What fits beside the bars; an id of a location keeps its end, which differs from others'. */
const short = (label: string): string => (label.length > 16 ? `…${label.slice(-14)}` : label)
