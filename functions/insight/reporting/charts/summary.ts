import { scaleBand, scaleLinear } from 'd3-scale'
import { formatShort } from '../../../../src/kernel/format.ts'
import type { Locale } from '../../../../src/kernel/locale.ts'
import { at, framed, svg, width } from '../../intelligence/api-pure.ts'
import type { Summary } from '../present-summary.ts'
import { words } from './words.ts'

/** More groups make no picture: the reply in JSON has them. */
const groupsMax = 31
const [left, right, top, rowHeight] = [140, 290, 84, 26]

/** Where something stands: coordinates alone, no amount that anybody reads. */
const placed = (minor: string): number => Number(minor)

/**
 * A bar for what was captured of each group, or of all where there are none, with a mark at what is left of it; both amounts
 * stand beside it.
 */
export function summaryChart(summary: Summary, locale: Locale): string {
  const say = words[locale]
  const money = (minor: string) => formatShort(BigInt(minor), summary.currency, locale)
  const shown = summary.groups.slice(0, groupsMax)
  const rest = summary.groups.length - shown.length
  const rows = [
    { ...summary, label: say.all },
    ...shown.map((group) => ({ ...group, label: group.group ?? say.nowhere })),
  ]
  const bottom = top + rows.length * rowHeight
  const ends = rows.flatMap(({ amount_gross, amount_net }) => [placed(amount_gross), placed(amount_net)])
  const x = scaleLinear([Math.min(0, ...ends), Math.max(100, ...ends)], [left, width - right])
  const y = scaleBand(
    rows.map((_, index) => index),
    [top, bottom],
  ).padding(0.35)
  const [height, notes] = [y.bandwidth(), rest > 0 ? [say.more(rest)] : []]
  return framed({
    locale,
    height: bottom + 24 + (notes.length + 1) * 20,
    title: say.title,
    detail: say.period(summary.begins_on, summary.ends_on, summary.currency.toUpperCase()),
    drawing: svg`<rect class="bar" x="16" y="62" width="14" height="12"/><text x="36" y="73">${say.gross}</text>
<path class="range" d="M${left} 61v14"/><text x="${left + 8}" y="73">${say.net}</text>
<line class="axis" x1="${at(x(0))}" x2="${at(x(0))}" y1="${top}" y2="${bottom}"/>
${rows.map(({ label, amount_gross: gross, amount_net: net }, index) => {
  const [begins, middle] = [y(index)!, y(index)! + height / 2]
  return svg`<text class="end" x="${left - 12}" y="${at(middle + 4)}">${short(label)}</text>
<rect class="bar" x="${at(x(0))}" y="${at(begins)}" width="${at(x(placed(gross)) - x(0))}" height="${at(height)}"/>
<path class="range" d="M${at(x(placed(net)))} ${at(begins - 3)}v${at(height + 6)}"/>
<text x="${width - right + 12}" y="${at(middle + 4)}">${money(gross)} · ${say.net} ${money(net)}</text>
`
})}${[...notes, say.asOf(summary.as_of.slice(0, 16).replace('T', ' '))].map(
  (note, index) => svg`<text class="soft" x="16" y="${bottom + 24 + index * 20}">${note}</text>
`,
)}`,
  })
}

/** What fits beside the bars; an id of a location keeps its end, which differs from others'. */
const short = (label: string): string => (label.length > 16 ? `…${label.slice(-14)}` : label)
