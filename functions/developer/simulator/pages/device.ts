import { html } from 'hono/html'
import { presentableCards, testCards } from '../../../../src/processors/simulator/cards.ts'
import { type Html, icon, layout, type PageBase } from '../../../page/hosted-payment/api.ts'
import { words as texts } from './text-device.ts'

const panel = (name: string, heading: string, content: Html) =>
  html`<section class="panel" data-part="${name}" aria-labelledby="${name}" hidden>
<h1 id="${name}" tabindex="-1">${heading}</h1>
${content}
</section>
`

/** A reader or a phone in a browser. Its script pairs it, asks what to do, and shows the part that is due. */
export function devicePage(base: PageBase): Html {
  const { pair, open, wait, take, tip, shown, done, off, offline, title } = texts[base.locale]
  const field = (id: string, label: string, input: Html) =>
    html`<p class="field"><label for="${id}">${label}</label>${input}</p>`
  return layout(base, {
    title,
    scripts: ['device.js'],
    head: html`<link rel="stylesheet" href="/assets/device.css">
`,
    data: {
      locale: base.locale,
      ...done,
      months: take.months,
      on: tip.on,
      pair_wrong: pair.wrong,
      open_wrong: open.wrong,
    },
    main: html`<p class="alert" role="alert" data-wrong hidden></p>
<p class="alert" role="status" data-offline hidden>${offline}</p>
${panel(
  'pair',
  pair.heading,
  html`<p>${pair.detail}</p>
<form>${field('code', pair.code, html`<input id="code" required maxlength="16" autocomplete="off" autocapitalize="characters" spellcheck="false">`)}
<button class="primary">${pair.button}</button></form>`,
)}${panel(
  'open',
  open.heading,
  html`<p>${open.detail}</p>
<dl class="ids"><dt>${open.device}</dt><dd data-slot="device"></dd><dt>${open.location}</dt><dd data-slot="location"></dd></dl>
<form>${field('secret', open.secret, html`<input id="secret" required maxlength="128" autocomplete="off" spellcheck="false">`)}
<button class="primary">${open.button}</button></form>`,
)}${panel('wait', wait.heading, html`<p class="merchant" data-slot="name"></p><p class="muted">${wait.detail}</p>`)}${panel(
  'take',
  take.heading,
  html`<p class="amount" data-slot="amount"></p><p data-slot="description"></p>
<form>${field(
    'card-kind',
    take.card,
    html`<select id="card-kind">${testCards
      .filter(({ token }) => presentableCards.some((each) => each === token))
      .map(({ token, label }) => html`<option value="${token}">${label[base.locale]}</option>`)}</select>`,
  )}${field(
    'card-way',
    take.how,
    html`<select id="card-way">${Object.entries(take.ways).map(([way, name]) => html`<option value="${way}">${name}</option>`)}</select>`,
  )}
<button class="primary">${take.button}</button></form>`,
)}${panel(
  'tip',
  tip.heading,
  html`<p data-slot="on"></p><div class="choices" data-slot="presets"></div>
<form>${field('other', tip.other, html`<input id="other" inputmode="decimal" pattern="[0-9]{1,7}([.][0-9]{1,2})?" required>`)}
<button class="secondary">${tip.other}</button></form>
<button type="button" class="secondary" data-none>${tip.none}</button>`,
)}${panel(
  'shown',
  shown.heading,
  html`<ul class="rung" data-slot="lines"></ul><p class="total"><span>${shown.total}</span><strong data-slot="amount"></strong></p>`,
)}<section class="panel outcome" data-part="done" aria-labelledby="done" hidden>
${icon('info', 'calm')}
<h1 id="done" tabindex="-1"></h1>
<p class="amount" data-slot="amount"></p>
<button type="button" class="primary" data-next>${done.button}</button>
</section>
<p class="off"><button type="button" class="secondary" data-off hidden>${off}</button></p>`,
  })
}
