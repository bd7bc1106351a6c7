import { html } from 'hono/html'
import { grantedMax } from '../../../../drizzle/schema/entitlements.ts'
import { formatShort } from '../../../../src/kernel/format.ts'
import type { Locale } from '../../../../src/kernel/locale.ts'
import { errorSummary, foreign, type Html, hiddenFields } from '../../../page/hosted-payment/api.ts'
import { type CartLine, fieldsOf, type LineProblem, linesMax, withWhatIsLeft } from '../cart.ts'
import { type Choice, choiceOf, nameOf } from '../offer.ts'
import type { Counter } from '../shop.ts'
import type { Drawn } from './catalog.ts'
import { backLink, orderForm, shopPage } from './frame.ts'
import { priceOf, quantityField, textOf } from './rows.ts'

/** Why the whole order is not taken. */
export type OrderProblem = 'empty' | 'too_many' | 'too_many_granted' | 'too_little' | 'too_much' | 'not_now'

export interface Returned {
  readonly lines: readonly CartLine[]
  readonly problems: ReadonlyMap<string, LineProblem>
  readonly whole: OrderProblem | null
}

/** The cart as it was sent, with what is wrong at each line: corrected, it is sent again. */
export function cartPage(counter: Counter, returned: Returned, drawn: Drawn): Html {
  const { base, path, attemptKey } = drawn
  const { shop } = counter
  const words = textOf[base.locale]
  const lines = returned.lines.map((line) => shownLine(line, counter, returned, base.locale))
  const wrong = [
    ...(returned.whole ? [['main', wholeWords(returned.whole, base.locale)] as const] : []),
    ...lines.flatMap(({ anchor, name, error }) => (error ? [[anchor, `${name}: ${error}`] as const] : [])),
  ]
  return shopPage({
    base,
    shop,
    title: words.review,
    main: html`${backLink(path, base)}
<h1>${words.review}</h1>
${errorSummary(words.wrong, wrong)}
${whatIsLeft(returned, drawn)}
${
  lines.some(({ choice }) => choice)
    ? orderForm(
        { shop, path, base },
        attemptKey,
        html`<ul class="items kept">${lines.map((line) => lineRow(line, counter, base.locale))}</ul>`,
      )
    : html`<ul class="items kept">${lines.map((line) => lineRow(line, counter, base.locale))}</ul>`
}`,
  })
}

/** One button that orders as many as are left, where nothing else is wrong. No script is needed, and none takes part. */
function whatIsLeft({ lines, problems }: Returned, { base, path, attemptKey }: Drawn): Html {
  const left = withWhatIsLeft(lines, problems)
  if (!left) return html``
  return html`<form method="post" action="${path}/checkout" data-once>
${hiddenFields({ attempt_key: attemptKey, locale: base.locale, ...fieldsOf(left) })}<button class="primary" data-busy="${textOf[base.locale].busy}">${textOf[base.locale].orderWhatIsLeft}</button>
</form>`
}

interface ShownLine {
  readonly id: string
  readonly name: string
  readonly typed: string
  readonly error: string | null
  /** Where its error leads to. */
  readonly anchor: string
  /** Null where it is not for sale. */
  readonly choice: Choice | null
}

function shownLine(
  line: CartLine,
  { items, left, shop }: Counter,
  { problems }: Returned,
  locale: Locale,
): ShownLine {
  const words = textOf[locale]
  const { itemId: id, typed } = line
  const problem = problems.get(id)
  const item = items.find((each) => each.id === id && each.catalogId === shop.id)
  const ended = problem?.kind === 'gone' || problem?.kind === 'sold_out'
  return {
    id,
    name: item ? nameOf(item) : words.goneItem,
    typed,
    error: problem ? problemWords(problem, shop.currency, locale) : null,
    anchor: ended ? `line-${id}` : `quantity-${id}`,
    choice: item && !ended ? choiceOf(item, left) : null,
  }
}

function lineRow({ id, name, typed, error, choice }: ShownLine, { shop }: Counter, locale: Locale): Html {
  const words = textOf[locale]
  if (!choice)
    return html`<li class="item" id="line-${id}" data-gone="${id}"><h2>${foreign(name)}</h2><p class="field-error">${error}</p></li>
`
  return html`<li class="item" data-item data-name="${name}"><h2>${foreign(name)}</h2>
${priceOf(choice, { locale, currency: shop.currency })}
<input type="hidden" name="choice.${id}" value="${id}:${choice.unitMinor}" data-amount="${choice.amountMinor}" data-percent="${choice.addedPercent}">
${quantityField({ id, name, typed, most: choice.most, ...(error ? { error } : {}) }, words)}</li>
`
}

function problemWords(problem: LineProblem, currency: string, locale: Locale): string {
  const words = textOf[locale]
  switch (problem.kind) {
    case 'gone':
      return words.gone
    case 'sold_out':
      return words.soldOutNow
    case 'few_left':
      return words.fewLeft(String(problem.most))
    case 'quantity':
      return words.badQuantity(String(problem.most))
    case 'most':
      return words.most(String(problem.most))
    case 'price':
      return words.price(
        formatShort(problem.from, currency, locale),
        formatShort(problem.to, currency, locale),
      )
  }
}

function wholeWords(problem: OrderProblem, locale: Locale): string {
  const words = textOf[locale]
  switch (problem) {
    case 'empty':
      return words.empty
    case 'too_many':
      return words.tooMany(linesMax)
    case 'too_many_granted':
      return words.tooManyGranted(grantedMax)
    case 'too_little':
      return words.tooLittle
    case 'too_much':
      return words.tooMuch
    case 'not_now':
      return words.notNow
  }
}
