// The page that asks for a person: once Turnstile is content, the payment goes on by itself.

import './pay.js'

// Turnstile's widget calls it by this name: `data-callback`.
window.isPerson = () => document.querySelector('form[data-person]').requestSubmit()
