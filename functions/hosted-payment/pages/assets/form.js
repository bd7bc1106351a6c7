// The script of a page where a buyer chooses a method and types. The page also works without it.
import './pay.js'

// What was typed, and the row that is open, stay over a reload and over going back: in this entry of the browser's
// history and nowhere else. Fields of a card have no name, and are not kept.
const kept = () =>
  [...document.querySelectorAll('form[data-method] [name]')].filter(
    ({ type, name }) => type !== 'hidden' && name !== 'card_token',
  )
const keyOf = (field) =>
  `${field.form.dataset.method} ${field.name} ${field.type === 'radio' ? field.value : ''}`
const rows = [...document.querySelectorAll('details.method')]
const isChoice = ({ type }) => type === 'checkbox' || type === 'radio'
function keep() {
  const typed = Object.fromEntries(
    kept().map((field) => [keyOf(field), isChoice(field) ? field.checked : field.value]),
  )
  history.replaceState({ ...history.state, typed, row: rows.find((row) => row.open)?.id }, '')
}
const { typed, row } = history.state ?? {}
if (typed) {
  for (const field of kept()) {
    const value = typed[keyOf(field)]
    if (value === undefined) continue
    if (isChoice(field)) field.checked = value
    else field.value = value
  }
  const opened = rows.find(({ id }) => id === row)
  if (opened && !document.querySelector('[autofocus]')) opened.open = true
}
document.addEventListener('change', keep)
for (const row of rows) row.addEventListener('toggle', keep)
// Browsers limit how often an entry is written.
let soon
document.addEventListener('input', () => {
  clearTimeout(soon)
  soon = setTimeout(keep, 300)
})

// Another way to pay is a row of this very page.
for (const link of document.querySelectorAll('[data-open]')) {
  const other = document.getElementById(link.dataset.open)
  link.addEventListener('click', (event) => {
    if (!other) return
    event.preventDefault()
    other.open = true
    other.querySelector('summary').focus()
  })
}

// An open form asks, while it is looked at, whether what it shows still holds. A new price appears in place, so that
// nothing typed is lost; a sale that has ended shows so.
const open = document.querySelector('main[data-status]')
const renewed = ['.promise', '[data-terms]', '.plan', 'form[data-method] button.primary']
const formsOf = (main) => [...main.querySelectorAll('form[data-method]')]
const pairs = (before, now, selector) => {
  const found = now.querySelectorAll(selector)
  return [...before.querySelectorAll(selector)].map((element, at) => [element, found[at]])
}
// Where the same methods are offered in the same way, only what they cost is new.
const shapeOf = (main) =>
  [
    ...formsOf(main).map((form) => form.dataset.method + form.getAttribute('action')),
    ...renewed.map((part) => main.querySelectorAll(part).length),
  ].join()
if (open) {
  const closesAt = performance.now() + Number(open.dataset.closesInMs ?? Number.POSITIVE_INFINITY)
  const [first, slowest] = [10000, 60000]
  let pause = first
  let timer
  const later = () => {
    const left = closesAt - performance.now()
    const next = pause * (0.75 + Math.random() / 2)
    clearTimeout(timer)
    timer = setTimeout(ask, left > 0 ? Math.min(next, left + 500) : next)
    pause = Math.min(pause * 1.5, slowest)
  }
  const isSent = () => document.querySelector('form[data-sent]')
  const ask = async () => {
    if (document.hidden || isSent()) return later()
    try {
      const reply = await fetch(open.dataset.status, { cache: 'no-store' })
      const { state, terms } = await reply.json()
      if (state === 'open' && terms === open.dataset.terms) return later()
      if (state !== undefined && (await renew())) return
    } catch {
      // Offline for a moment, or asked too often: ask again.
    }
    later()
  }
  // True where this page has nothing more to ask.
  const renew = async () => {
    const reply = await fetch(open.dataset.page, { cache: 'no-store', headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    const fresh = page.querySelector('main')
    if (!fresh || reply.status >= 500 || reply.status === 429 || isSent()) return false
    // Another payment of this buyer has its own page.
    if (new URL(reply.url).pathname !== new URL(open.dataset.page, location).pathname) {
      location.assign(reply.url)
      return true
    }
    if (!fresh.dataset.status || shapeOf(fresh) !== shapeOf(open)) {
      document.title = page.title
      open.replaceWith(document.adoptNode(fresh))
      const heading = fresh.querySelector('h1')
      heading.tabIndex = -1
      heading.focus()
      // A form's own script runs with a page.
      if (fresh.dataset.status) location.replace(open.dataset.page)
      return true
    }
    open.querySelector('.summary').replaceWith(document.adoptNode(fresh.querySelector('.summary')))
    for (const name of ['quote', 'attempt_key'])
      for (const [field, now] of pairs(open, fresh, `[name="${name}"]`)) field.value = now.value
    for (const part of renewed)
      for (const [shown, now] of pairs(open, fresh, part)) shown.replaceChildren(...now.childNodes)
    for (const form of formsOf(open)) form.dispatchEvent(new Event('renewed'))
    open.dataset.terms = fresh.dataset.terms
    const notice = open.querySelector('.renewed') ?? document.createElement('p')
    notice.className = 'alert renewed'
    notice.role = 'alert'
    notice.tabIndex = -1
    notice.textContent = fresh.querySelector('[data-renewed]').dataset.renewed
    open.querySelector('[data-renewed]').prepend(notice)
    notice.focus()
    return false
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    pause = first
    ask()
  })
  later()
}
