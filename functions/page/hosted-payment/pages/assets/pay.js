// The script of every buyer page. Each page also works without it.

const labels = new Map()
const buttonsOf = (form) => [...form.querySelectorAll('button:not([type="button"])')]

// A second press of Pay does nothing; the server would treat it as the same attempt anyway.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || !('once' in form.dataset)) return
  if (form.dataset.sent) {
    event.preventDefault()
    return
  }
  form.dataset.sent = 'yes'
  // After this task: a button disabled now would not be sent with the form.
  setTimeout(() => {
    for (const button of buttonsOf(form)) {
      button.disabled = true
      if (button !== event.submitter) continue
      labels.set(button, [...button.childNodes])
      button.textContent = button.dataset.busy
    }
  })
})

// Back from the next page, out of the browser's memory: the form can be sent again.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent
    for (const button of buttonsOf(form)) {
      button.disabled = false
      if (labels.has(button)) button.replaceChildren(...labels.get(button))
    }
  }
})

// What the chosen term costs, in the headline and on the button.
const showTotal = () => {
  const chosen = document.querySelector('[name="months"] option:checked, [name="months"]:checked')
  if (!chosen?.dataset.total) return
  for (const charged of document.querySelectorAll('[data-charged]'))
    charged.textContent = chosen.dataset.total
}
document.addEventListener('change', showTotal)
addEventListener('pageshow', showTotal)
showTotal()
for (const line of document.querySelectorAll('[data-total-line]')) line.hidden = false

const print = document.querySelector('[data-print]')
if (print) {
  print.hidden = false
  print.addEventListener('click', () => window.print())
}

// A form that pays says that a script runs, so that the page that follows leads on to the bank by itself. That page's
// address is replaced: a buyer who comes back sees the page of the payment, with its button. In a frame only a press may
// take the whole window.
if (window.parent === window) {
  for (const form of document.querySelectorAll('form[action$="/attempts"]')) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name: 'to_bank', value: 'yes' })
    form.append(field)
  }
  const bank = document.querySelector('a[data-bank]')
  if (bank) location.replace(bank.href)
}

// A waiting page polls itself and reloads only on a change, so that a screen reader does not repeat it every three
// seconds.
const paces = { processing: [3000, 10000], awaits_payment: [15000, 60000], awaits_goods: [10000, 60000] }
const stateOf = (page) => page.querySelector('main[data-state]')?.dataset.state
const newsOf = (page) => page.querySelector('[data-news]')?.dataset.news
const waitsFor = document.querySelector('[data-awaited]') ? 'awaits_goods' : stateOf(document)
if (paces[waitsFor]) {
  let asked = 0
  const ask = async () => {
    asked++
    try {
      const reply = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
      if (reply.ok) {
        const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
        if (stateOf(page) !== stateOf(document) || newsOf(page) !== newsOf(document)) return location.reload()
      }
    } catch {
      // Offline for a moment: ask again.
    }
    later()
  }
  const [first, then] = paces[waitsFor]
  const later = () => setTimeout(ask, asked < 20 ? first : then)
  later()
}
