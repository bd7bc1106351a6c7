// Live only: Stripe's own card fields. They make a PaymentMethod at Stripe; the form sends us its id and nothing else.

import './form.js'
import { form } from './checks.js'
import { showTerms } from './terms.js'

const part = document.querySelector('[data-stripe-card]')
const button = part.querySelector('button.primary')
const loading = part.querySelector('[data-loading]')
const problem = part.querySelector('[data-problem]')
const label = [...button.childNodes]
part.hidden = false

function tell(message) {
  problem.textContent = message
  problem.hidden = !message
}

function ready(is) {
  button.disabled = !is
  if (is) button.replaceChildren(...label)
  else button.textContent = button.dataset.busy
}

// This version has no paymentMethodTypes: https://docs.stripe.com/changelog/endive/2026-09-30
const script = document.createElement('script')
script.src = 'https://js.stripe.com/endive/stripe.js'
script.addEventListener('error', () => {
  loading.hidden = true
  tell(problem.dataset.unreachable)
})
script.addEventListener('load', begin)
document.head.append(script)

function begin() {
  const { key, amount, currency, language } = part.dataset
  const stripe = window.Stripe(key, { locale: language === 'en' ? 'en' : 'es-419' })
  const elements = stripe.elements({
    mode: 'payment',
    amount: Number(amount),
    currency,
    paymentMethodCreation: 'manual',
    allowedPaymentMethodTypes: ['card'],
  })
  const card = elements.create('payment', { wallets: { applePay: 'never', googlePay: 'never' } })
  card.on('ready', () => {
    loading.hidden = true
    button.disabled = false
  })
  card.on('loaderror', () => {
    loading.hidden = true
    tell(problem.dataset.unreachable)
  })
  // The card's terms stand on the form before it is sent. What is sent is made again: the card may change in
  // between.
  if (part.querySelector('select[name="months"]'))
    card.on('change', async ({ complete, value }) => {
      if (!complete || value?.type !== 'card') return showTerms(form, null)
      const checked = await elements.submit()
      const made = checked.error ? checked : await stripe.createPaymentMethod({ elements })
      if (!made.error) showTerms(form, made.paymentMethod.id)
    })
  card.mount(part.querySelector('[data-stripe-element]'))

  form.addEventListener('renewed', () => elements.update({ amount: Number(part.dataset.amount) }))

  let sending = false
  let isMade = false
  form.addEventListener('submit', async (event) => {
    if (!part.contains(event.submitter) || isMade) return
    event.preventDefault()
    if (sending) return
    sending = true
    tell('')
    ready(false)
    try {
      const checked = await elements.submit()
      const made = checked.error ? checked : await stripe.createPaymentMethod({ elements })
      if (made.error) tell(made.error.message ?? problem.dataset.unreachable)
      else {
        form.elements.card_token.value = made.paymentMethod.id
        isMade = true
        ready(true)
        // Past this listener, in a task of its own: a form is not sent while its submit event is under way.
        setTimeout(() => form.requestSubmit(button))
        return
      }
    } catch {
      tell(problem.dataset.unreachable)
    }
    sending = false
    ready(true)
  })
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    sending = false
    isMade = false
    ready(true)
  })
}
