// The script of a page where a buyer chooses a method and types. The page also works without it.
import './pay.js'
import { form, showProblems } from './checks.js'
import { apply, isApplying, isPending, isSame, show, typedCode } from './choices.js'

// What was typed, and the row that is open, stay over a reload and over going back: in this entry of the browser's
// history and nowhere else. Fields of a card have no name, and are not kept; what is chosen of the order is the server's.
const kept = () =>
  [...(form?.elements ?? [])].filter(
    ({ type, name, tagName }) =>
      name &&
      type !== 'hidden' &&
      tagName !== 'BUTTON' &&
      !/^(card_token|code|tip|tip_own|shipping|quantity.*)$/.test(name),
  )
const keyOf = (field) => `${field.name} ${field.type === 'radio' ? field.value : ''}`
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
document.addEventListener('keep', keep)
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

const open = document.querySelector('main[data-status]')

function tell(words) {
  const notice = open.querySelector('.renewed') ?? document.createElement('p')
  notice.className = 'alert renewed'
  notice.role = 'alert'
  notice.tabIndex = -1
  notice.textContent = words
  open.querySelector('[data-renewed]').prepend(notice)
  notice.focus()
}

if (form) {
  let isTried = false
  form.addEventListener('submit', async (event) => {
    const button = event.submitter
    const stop = () => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    if (button?.hasAttribute('formaction')) {
      stop()
      const code = typedCode()
      apply({ ...(code ? { code } : {}), ...(button.name ? { [button.name]: button.value } : {}) })
      return
    }
    if (showProblems(button)) return stop()
    if (!isPending() || isTried) return
    // What is on the screen is applied first, and its total is seen before it is paid.
    stop()
    const code = typedCode()
    const said = () => open.querySelector('[data-changed]').dataset.changed
    const before = said()
    const isShown = await apply(code ? { code } : {})
    if (isShown && said() === before && !isPending()) form.requestSubmit(button)
    else if (isShown) tell(said())
    else if (!open.querySelector('.summary [role="alert"]')) isTried = true
  })
  // Enter presses the button of the part that it is typed in.
  document.addEventListener('keydown', (event) => {
    const { target } = event
    if (event.key !== 'Enter' || event.isComposing || target.tagName !== 'INPUT' || target.form !== form)
      return
    event.preventDefault()
    if (target.closest('[data-choices]')) return apply()
    const part = target.closest('.code') ?? form.querySelector('[data-method][open], section[data-method]')
    part?.querySelector('button:enabled')?.click()
  })
}

// An open form asks, while it is looked at, whether what it shows still holds. A new price appears in place, so that
// nothing typed is lost; a sale that has ended shows so.
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
  const isBusy = () => document.querySelector('form[data-sent]') || isApplying()
  const ask = async () => {
    if (document.hidden || isBusy()) return later()
    try {
      const reply = await fetch(`${open.dataset.status}?terms=${open.dataset.terms}`, { cache: 'no-store' })
      const { state, terms } = await reply.json()
      if (state === 'open' && terms === open.dataset.terms) return later()
      if (state !== undefined && !isBusy() && (await renew())) return
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
    if (!fresh || reply.status >= 500 || reply.status === 429 || isBusy()) return false
    // Another payment of this buyer has its own page.
    if (new URL(reply.url).pathname !== new URL(open.dataset.page, location).pathname) {
      location.assign(reply.url)
      return true
    }
    if (!fresh.dataset.status || !isSame(fresh)) {
      document.title = page.title
      open.replaceWith(document.adoptNode(fresh))
      const heading = fresh.querySelector('h1')
      heading.tabIndex = -1
      heading.focus()
      // A form's own script runs with a page.
      if (fresh.dataset.status) location.replace(open.dataset.page)
      return true
    }
    show(fresh)
    tell(open.querySelector('[data-renewed]').dataset.renewed)
    return false
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    pause = first
    ask()
  })
  later()
}
