import { html, raw } from 'hono/html'
import type { Collects, CustomField } from '../../../../../drizzle/schema/buyer-details.ts'
import { cfdiUses } from '../../../../../src/kernel/cfdi.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import { mexicanStateOf, mexicanStates } from '../../../../../src/kernel/mexican-states.ts'
import { isPushMethod, type Method } from '../../../../../src/kernel/payment-methods.ts'
import { taxRegimes } from '../../../../../src/kernel/rfc.ts'
import type { WrongDetails } from '../../details.ts'
import { foreign } from '../frame/layout.ts'
import type { Html } from '../frame/view.ts'
import { cfdiUseNames, regimeNames } from './text-cfdi.ts'
import { detailsText } from './text-details.ts'

interface DetailsView {
  readonly locale: Locale
  /** Where a push payment is offered the buyer's name is asked for with their address. */
  readonly methods: readonly Method[]
  /** Who receives what is asked. */
  readonly merchantName: string
  readonly collects?: Collects | null | undefined
  /** As typed before, by the field's name. */
  readonly typed?: Readonly<Record<string, string>> | undefined
  readonly wrongDetails?: WrongDetails | undefined
}

interface Field {
  readonly name: string
  readonly label: string | Html
  readonly isRequired: boolean
  /** Below the field. */
  readonly hint?: string
  /** When it must be filled in, for the script: always, where a box asks for it, or in one country. */
  readonly requiredWhen?: 'always' | 'tax' | 'MX'
  /** What the script checks of it. */
  readonly kind?: 'rfc' | 'postal_code' | 'phone' | 'number'
  readonly autocomplete?: string
  readonly inputmode?: 'text' | 'tel' | 'numeric' | 'decimal'
  readonly options?: readonly (readonly [value: string, label: string])[]
  /** Offered where anything may be typed. */
  readonly suggestions?: readonly string[]
}

/** The fields of what the sale asks of its buyer; nothing where it asks nothing. They belong into the form that pays. */
export function detailFields(view: DetailsView): Html {
  const { collects } = view
  if (!collects) return raw('')
  const words = detailsText[view.locale]
  return html`${collects.shipping_countries.length > 0 ? shipping(view, collects) : ''}${
    collects.name === 'no' || view.methods.some(isPushMethod)
      ? ''
      : field(view, {
          name: 'detail.name',
          label: words.labels['detail.name']!,
          isRequired: collects.name === 'required',
          hint: words.shared(view.merchantName),
          autocomplete: 'name',
        })
  }${
    collects.phone === 'no'
      ? ''
      : field(view, {
          name: 'detail.phone',
          label: words.labels['detail.phone']!,
          isRequired: collects.phone === 'required',
          hint: words.shared(view.merchantName),
          autocomplete: 'tel',
          inputmode: 'tel',
          kind: 'phone',
        })
  }${collects.custom_fields.map((each) => field(view, customField(each)))}${
    collects.tax_data === 'no' ? '' : tax(view, collects)
  }${collects.consents.map(
    ({ key, text, url, required }) => html`<div class="field">
${tick(view, `consent.${key}`, html`${foreign(required ? text : words.optional(text))}`, required)}
${url ? html`<a href="${url}" rel="noreferrer" target="_blank">${words.readIt}</a>` : ''}
</div>
`,
  )}`
}

/** What must be corrected, by the field's name, in words. */
export function detailErrors({ locale, collects, wrongDetails }: DetailsView): (readonly [string, string])[] {
  const { labels, problems } = detailsText[locale]
  const own = new Map(collects?.custom_fields.map(({ key, label }) => [`field.${key}`, label]))
  return [...(wrongDetails ?? [])].map(([name, problem]) => {
    const label = labels[name] ?? own.get(name)
    return [name, label ? `${label}: ${problems[problem]}` : problems[problem]]
  })
}

function shipping(view: DetailsView, { shipping_countries: countries }: Collects): Html {
  const words = detailsText[view.locale]
  const one = (name: string, autocomplete: string, more: Partial<Field> = {}) =>
    field(view, {
      name: `ship.${name}`,
      label: words.labels[`ship.${name}`]!,
      isRequired: true,
      autocomplete: `shipping ${autocomplete}`,
      ...more,
    })
  const isHome = countries.every((country) => country === 'MX')
  const inMexico = countries.includes('MX') ? ({ requiredWhen: isHome ? 'always' : 'MX' } as const) : {}
  const states: Partial<Field> = isHome
    ? { options: mexicanStates.map((name) => [name, name]) }
    : countries.includes('MX')
      ? { suggestions: mexicanStates }
      : {}
  const names = new Intl.DisplayNames([view.locale], { type: 'region' })
  return html`<fieldset class="details"><legend>${words.shipping}</legend>
${one('name', 'name')}${
  countries.length > 1
    ? one('country', 'country', {
        options: countries.map((country) => [country, names.of(country) ?? country]),
      })
    : ''
}${one('postal_code', 'postal-code', { isRequired: isHome, ...inMexico, kind: 'postal_code', inputmode: isHome ? 'numeric' : 'text' })}${one('state', 'address-level1', { isRequired: isHome, ...inMexico, ...states })}${one('city', 'address-level2')}${one('neighborhood', 'address-level3', { isRequired: isHome, ...inMexico })}${one('line1', 'address-line1')}${one('line2', 'address-line2', { isRequired: false })}</fieldset>
`
}

function tax(view: DetailsView, { tax_data }: Collects): Html {
  const words = detailsText[view.locale]
  const isRequired = tax_data === 'required'
  const requiredWhen = isRequired ? 'always' : 'tax'
  const one = (name: string, more: Partial<Field> = {}) =>
    field(view, {
      name: `tax.${name}`,
      label: words.labels[`tax.${name}`]!,
      isRequired: true,
      requiredWhen,
      ...more,
    })
  const codes = (map: ReadonlyMap<string, unknown>, names: Readonly<Record<string, string>>) =>
    [...map.keys()].map((code) => [code, `${code} ${names[code]}`] as const)
  const fields = html`${one('rfc', { kind: 'rfc' })}${one('legal_name', { autocomplete: 'organization' })}${one('regime', { options: codes(taxRegimes, regimeNames) })}${one('cfdi_use', { options: codes(cfdiUses, cfdiUseNames) })}${one('postal_code', { inputmode: 'numeric', kind: 'postal_code' })}`
  if (isRequired) return html`<fieldset class="details"><legend>${words.tax}</legend>${fields}</fieldset>`
  const wants = view.typed?.['tax.wanted'] === 'yes'
  return html`<details class="details" id="tax"${wants ? html` open` : ''}><summary>${words.tax}</summary>
<div class="field">${tick(view, 'tax.wanted', words.wantsTax)}</div>${fields}</details>
`
}

const customField = ({ key, label, type, required, options }: CustomField): Field => ({
  name: `field.${key}`,
  label: foreign(label),
  isRequired: required,
  ...(type === 'number' ? { inputmode: 'decimal' as const, kind: 'number' as const } : {}),
  ...(type === 'dropdown' ? { options: options.map((each) => [each.value, each.label] as const) } : {}),
})

/** A message under its field, and what ties it to the field. */
function wrongAt({ locale, wrongDetails }: DetailsView, name: string, hint?: string) {
  const problem = wrongDetails?.get(name)
  if (!problem) return hint ? hintAt(`${name}-hint`, hint) : { mark: raw(''), message: raw('') }
  const id = `${name}-error`
  return {
    mark: html` aria-invalid="true" aria-describedby="${id}"`,
    message: html`<p class="field-error" id="${id}">${detailsText[locale].problems[problem]}</p>`,
  }
}

const hintAt = (id: string, hint: string) => ({
  mark: html` aria-describedby="${id}"`,
  message: html`<p class="muted hint" id="${id}">${hint}</p>`,
})

function tick(view: DetailsView, name: string, label: string | Html, isRequired = false): Html {
  const { mark, message } = wrongAt(view, name)
  return html`<label class="choice"><input type="checkbox" id="${name}" name="${name}" value="yes"${view.typed?.[name] === 'yes' ? ' checked' : ''}${isRequired ? html` data-required="always" data-kind="consent"` : ''}${mark}> ${label}</label>${message}`
}

function field(
  view: DetailsView,
  {
    name,
    label,
    isRequired,
    hint,
    requiredWhen,
    kind,
    autocomplete = 'off',
    inputmode,
    options,
    suggestions,
  }: Field,
): Html {
  const words = detailsText[view.locale]
  const { mark, message } = wrongAt(view, name, hint)
  const typed = view.typed?.[name] ?? ''
  // One of the states may have been typed, or kept, in other words.
  const value = options && name === 'ship.state' ? (mexicanStateOf(typed) ?? typed) : typed
  const noted = requiredWhen === 'MX' ? words.inMexico : words.optional
  const asked = isRequired ? label : typeof label === 'string' ? noted(label) : html`${label} ${noted('')}`
  const when = requiredWhen ?? (isRequired ? 'always' : undefined)
  const must = html`${isRequired ? html` aria-required="true"` : ''}${when ? html` data-required="${when}"` : ''}${kind ? html` data-kind="${kind}"` : ''}`
  return html`<div class="field">
<label for="${name}">${asked}</label>
${
  options
    ? html`<select id="${name}" name="${name}" autocomplete="${autocomplete}"${must}${mark}>
<option value="">${words.choose}</option>
${options.map(
  ([each, shown]) => html`<option value="${each}"${each === value ? ' selected' : ''}>${shown}</option>
`,
)}</select>`
    : html`<input id="${name}" name="${name}" maxlength="254" autocomplete="${autocomplete}"${inputmode ? html` inputmode="${inputmode}"` : ''} value="${value}"${suggestions ? html` list="${name}-list"` : ''}${must}${mark}>${
        suggestions
          ? html`<datalist id="${name}-list">${suggestions.map((each) => html`<option value="${each}"></option>`)}</datalist>`
          : ''
      }`
}
${message}</div>
`
}
