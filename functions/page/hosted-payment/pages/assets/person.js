// The page that asks for a person. Turnstile's widget calls these by name: `data-callback`, `data-error-callback`.

import './pay.js'

// Once it is content, the payment goes on by itself.
window.isPerson = () => document.querySelector('form[data-person]').requestSubmit()

window.isUnreachable = () => {
  document.querySelector('[data-unreachable]').hidden = false
  return true
}
