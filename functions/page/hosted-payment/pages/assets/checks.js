// What the form asks for is checked before a card is used: all mistakes at once, in one list and at their fields. The
// server judges again, by the same rules.

export const form = document.getElementById('pay')
const words = form ? JSON.parse(form.dataset.words) : {}

/** Checks of a method's own fields, when this button is pressed: each answers pairs of a field and its message. */
export const ownChecks = []

const digits = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'
function isRfc(typed) {
  const rfc = typed.toUpperCase().replace(/[\s-]/g, '')
  const [, year, month, day] = /^[A-ZÑ&]{3,4}(\d\d)(\d\d)(\d\d)[A-Z\d]{2}[A\d]$/.exec(rfc) ?? []
  const date = new Date(Date.UTC(2000 + Number(year), month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return false
  const body = [...rfc.slice(0, -1).padStart(12, ' ')]
  const sum = body.reduce((total, letter, at) => total + digits.indexOf(letter) * (13 - at), 0)
  return /^X[AE]XX010101000$/.test(rfc) || '0A987654321'[sum % 11] === rfc.at(-1)
}

const isEmail = (text) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)
const fits = {
  rfc: isRfc,
  postal_code: (text) => /^\d{5}$/.test(text),
  phone: (text) => /^(\d{10}|\+[1-9]\d{6,14})$/.test(text.replace(/[\s().-]/g, '')),
  number: (text) => /^-?\d{1,12}(\.\d{1,6})?$/.test(text),
  name: (text) => text.length > 1 && /\p{L}/u.test(text),
  email: isEmail,
  receipt_email: isEmail,
}

function isNeeded(when, isPush) {
  if (when === 'push') return isPush
  if (when === 'tax') return form.elements['tax.wanted'].checked
  if (when === 'MX') return form.elements['ship.country'].value === 'MX'
  return when === 'always'
}

function problemOf(field, isPush) {
  const { required, kind } = field.dataset
  const needed = isNeeded(required, isPush)
  const value = field.type === 'checkbox' ? (field.checked ? 'yes' : '') : field.value.trim()
  if (value === '') return needed ? words[/^(name|.*email|consent)$/.test(kind) ? kind : 'missing'] : null
  if (field.dataset.domains && !field.dataset.domains.split(' ').includes(value.toLowerCase().split('@')[1]))
    return words[kind]
  const judged = needed || !['tax', 'MX'].includes(required)
  return judged && fits[kind] && !fits[kind](value) ? words[kind] : null
}

export function mark(field, message) {
  const id = `${field.id}-error`
  let shown = document.getElementById(id)
  if (!message) {
    if (!field.ariaInvalid) return
    field.removeAttribute('aria-invalid')
    if (shown) shown.hidden = true
    return
  }
  if (!shown) {
    shown = document.createElement('p')
    shown.id = id
    shown.className = 'field-error'
    field.closest('.field').append(shown)
  }
  shown.textContent = message
  shown.hidden = false
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', id)
}

/** What is wrong with the form when this button is pressed; shown, and the list of it has the focus. */
export function showProblems(button) {
  const isPush = !!button?.closest('[data-push]')
  const asked = [...form.elements].filter((field) => field.dataset.required || field.dataset.kind)
  const wrong = asked.flatMap((field) => {
    const message = problemOf(field, isPush)
    mark(field, message)
    return message ? [[field, message]] : []
  })
  for (const check of ownChecks) wrong.push(...check(button))
  form.querySelector(':scope > .alert')?.remove()
  if (wrong.length === 0) return false
  const list = document.createElement('ul')
  for (const [field, message] of wrong) {
    const [link, row] = [document.createElement('a'), document.createElement('li')]
    const label = /^(ship|detail|field|tax)\./.test(field.name)
      ? `${field.labels[0].textContent.trim()}: `
      : ''
    link.href = `#${field.id}`
    link.textContent = label + message
    row.append(link)
    list.append(row)
    for (let part = field.closest('details'); part; part = part.parentElement.closest('details'))
      part.open = true
  }
  const alert = document.createElement('div')
  const heading = document.createElement('p')
  heading.textContent = words.mend
  Object.assign(alert, { className: 'alert', role: 'alert', tabIndex: -1 })
  alert.append(heading, list)
  form.prepend(alert)
  alert.focus()
  return true
}
