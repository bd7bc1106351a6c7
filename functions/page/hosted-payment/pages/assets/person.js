// The page that asks for a person. Turnstile's widget calls these by name: `data-callback`, `data-error-callback`.

import './pay.js'

const problem = document.querySelector('[data-unreachable]')

// Once it is content, the payment goes on by itself.
window.isPerson = () => {
  problem.hidden = true
  document.querySelector('form[data-person]').requestSubmit()
}

window.isUnreachable = () => {
  problem.hidden = false
  return true
}

// A script that is blocked calls nothing.
document.querySelector('script[data-turnstile]').addEventListener('error', window.isUnreachable)
