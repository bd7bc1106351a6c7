// Sandbox only: turns a typed test card into the simulator's token. The card's fields have no name, so their input
// never leaves this page; the form sends the token and the buyer's name.

import './form.js'
import { form, ownChecks } from './checks.js'
import { showTerms } from './terms.js'

const part = document.querySelector('[data-sandbox-card]')
const rows = [...document.querySelectorAll('[data-number][data-token]')]
const tokens = new Map(rows.map((row) => [row.dataset.number, row.dataset.token]))
const field = (id) => document.getElementById(id)
const number = field('card-number')
const expiry = field('card-expiry')
const cvc = field('card-cvc')
const holder = field('card-name')

const token = document.createElement('input')
token.type = 'hidden'
token.name = 'card_token'
part.querySelector('[data-fallback]').replaceWith(token)
for (const one of document.querySelectorAll('[data-enhanced]')) one.hidden = false

const digitsOf = (input) => input.value.replace(/\D/g, '')
const numberParts = (digits) => digits.slice(0, 19).replace(/(.{4})(?=.)/g, '$1 ')
const expiryParts = (digits) => digits.slice(0, 4).replace(/^(..)(?=.)/, '$1/')

// Groups the digits while keeping the caret behind the digit it was behind.
function group(input, parts) {
  input.addEventListener('input', () => {
    const before = input.value.slice(0, input.selectionStart).replace(/\D/g, '').length
    input.value = parts(digitsOf(input))
    let caret = 0
    for (let seen = 0; seen < before && caret < input.value.length; caret++) {
      if (/\d/.test(input.value[caret])) seen++
    }
    input.setSelectionRange(caret, caret)
  })
}

group(number, numberParts)
group(expiry, expiryParts)
group(cvc, (digits) => digits.slice(0, 4))

// The brand, and the terms of the card, as soon as the number tells them.
const brands = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2[2-7])/, 'Mastercard'],
  [/^3[47]/, 'American Express'],
  [/^(506|639)/, 'Carnet'],
]
const brandMark = document.querySelector('[data-brand]')
let known = null
function showCard() {
  const digits = digitsOf(number)
  const brand = brands.find(([begins]) => begins.test(digits))?.[1] ?? ''
  if (brandMark.textContent !== brand) brandMark.textContent = brand
  const now = tokens.get(digits) ?? null
  if (now === known) return
  known = now
  showTerms(form, known)
}
number.addEventListener('input', showCard)
form.addEventListener('renewed', () => {
  known = null
  delete part.querySelector('[data-terms]')?.first
  showCard()
})

function expiryProblem() {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(expiry.value) ?? []
  if (!month) return 'missing'
  return new Date() < new Date(2000 + Number(year), Number(month)) ? null : 'wrong'
}

const checks = [
  [number, () => (digitsOf(number) ? (tokens.has(digitsOf(number)) ? null : 'wrong') : 'missing')],
  [expiry, expiryProblem],
  [cvc, () => (/^\d{3,4}$/.test(cvc.value) ? null : 'missing')],
  // A name has few digits: do not send what looks like a card number.
  [holder, () => (holder.value.trim() && digitsOf(holder).length < 4 ? null : 'missing')],
]

function show(input, problem) {
  const message = field(`${input.id}-error`)
  message.hidden = !problem
  message.textContent = problem ? message.dataset[problem] : ''
  if (problem) input.setAttribute('aria-invalid', 'true')
  else input.removeAttribute('aria-invalid')
}

// A mistake is shown when the field is full or the form is sent, and cleared once corrected. Not on leaving the field:
// the message would move the button away from under the very click that left it.
for (const [input, check] of checks) {
  input.addEventListener('input', () => {
    const full =
      input === number ? digitsOf(number).length >= 16 : input === expiry && expiry.value.length === 5
    if (full) show(input, check())
    else if (!check()) show(input, null)
  })
}

ownChecks.push((button) =>
  (part.contains(button) ? checks : []).flatMap(([input, check]) => {
    const problem = check()
    show(input, problem)
    return problem ? [[input, field(`${input.id}-error`).dataset[problem]]] : []
  }),
)

form.addEventListener('submit', ({ submitter }) => {
  token.value = part.contains(submitter) ? tokens.get(digitsOf(number)) : ''
})

for (const row of rows) {
  const use = row.querySelector('[data-use]')
  use.addEventListener('click', () => {
    const soon = new Date()
    number.value = numberParts(row.dataset.number)
    expiry.value = `${String(soon.getMonth() + 1).padStart(2, '0')}/${String(soon.getFullYear() + 3).slice(-2)}`
    cvc.value = '123'
    holder.value ||= 'Alex Prueba'
    for (const [input] of checks) show(input, null)
    showCard()
    document.querySelector('[data-used]').textContent = use.dataset.use
    part.closest('details')?.setAttribute('open', '')
    part.querySelector('button.primary').focus({ preventScroll: true })
    part.scrollIntoView({ block: 'nearest' })
  })
}
