// What a buyer chooses of the order is applied at once, in place: what they typed stays. The button for it, which a page
// without scripts needs, is hidden.
import { form } from './checks.js'

const main = document.querySelector('main[data-status]')
const ways = form?.querySelector('[data-ways]:not([data-blocked])')
const renewed = ['.promise', '[data-terms]', '.plan', 'button.primary']
const pairs = (fresh, selector) => {
  const found = fresh.querySelectorAll(selector)
  return [...main.querySelectorAll(selector)].map((element, at) => [element, found[at]])
}
// Where the same methods are offered in the same way, only what they cost is new.
const shapeOf = (page) =>
  [
    page.querySelector('#pay')?.getAttribute('action'),
    ...[...page.querySelectorAll('#pay [data-method]')].map(({ dataset }) => dataset.method),
    ...renewed.map((part) => page.querySelectorAll(part).length),
  ].join()

export const isSame = (fresh) => shapeOf(fresh) === shapeOf(main)

/** Shows the summary and the prices of another page of this sale. The order that was being chosen stays as it is. */
export function show(fresh) {
  const summary = main.querySelector('.summary')
  const now = document.activeElement
  const at = summary.contains(now) ? [now.id, now.name, now.value] : null
  const code = typedCode()
  const isOwnAwaited = isAwaited()
  const opened = [...summary.querySelectorAll('details[open]')].map(({ id }) => id)
  const next = document.adoptNode(fresh.querySelector('.summary'))
  summary.replaceWith(next)
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
  const own = next.querySelector('[name="tip"][value="own"]')
  if (isOwnAwaited && own) own.checked = true
  if (at)
    [...next.querySelectorAll('input, button, summary, a')]
      .find(({ id, name, value }) => (at[0] ? id === at[0] : name === at[1] && value === at[2]))
      ?.focus()
  const codeField = document.getElementById('code')
  if (codeField) codeField.value ||= code
  applied = JSON.stringify(chosen())
  const blocked = fresh.querySelector('[data-blocked]')
  form.querySelector('[data-blocked]')?.remove()
  if (ways) ways.hidden = blocked !== null
  if (blocked) return ways?.after(document.adoptNode(blocked))
  for (const name of ['quote', 'attempt_key'])
    for (const [field, value] of pairs(fresh, `[name="${name}"]`)) field.value = value.value
  for (const part of renewed)
    for (const [shown, other] of pairs(fresh, part)) shown.replaceChildren(...other.childNodes)
  const [card, other] = [main, fresh].map((page) => page.querySelector('[data-stripe-card]'))
  if (card && other) card.dataset.amount = other.dataset.amount
  form.dispatchEvent(new Event('renewed'))
  Object.assign(main.dataset, { terms: fresh.dataset.terms, page: fresh.dataset.page })
  const [panel, from] = [main, fresh].map((page) => page.querySelector('.panel[data-changed]'))
  Object.assign(panel.dataset, from.dataset)
}

const isChoice = ({ type }) => type === 'checkbox' || type === 'radio'
const fields = () => [...(form?.elements ?? [])].filter((field) => field.closest('[data-choices]'))

/** A tip of one's own is wanted, and not typed yet. */
function isAwaited() {
  const named = (name) => fields().find((field) => field.name === name && (!isChoice(field) || field.checked))
  return named('tip')?.value === 'own' && named('tip_own')?.value === ''
}

function chosen() {
  const picked = fields().filter((field) => !isChoice(field) || field.checked)
  const choices = Object.fromEntries(picked.map(({ name, value }) => [name, value]))
  if (choices.tip !== 'own') delete choices.tip_own
  // An amount of one's own is not chosen until it is typed.
  else if (isAwaited()) {
    delete choices.tip
    delete choices.tip_own
  }
  return choices
}

/** A code that is typed and not applied yet. */
export const typedCode = () => document.getElementById('code')?.value.trim() ?? ''

let applied = JSON.stringify(chosen())
let queue = Promise.resolve(true)
let underWay = 0

export const isApplying = () => underWay > 0

/** Whether the order on the screen is not yet the one that the page's prices are for. */
export const isPending = () => underWay > 0 || JSON.stringify(chosen()) !== applied || typedCode() !== ''

/** Applies what is chosen, and what a button or another form adds; true where the page now shows it. */
export function apply(more = {}, action = main.querySelector('[formaction]').getAttribute('formaction')) {
  underWay++
  queue = queue.then(() => send(more, action)).finally(() => underWay--)
  return queue
}

async function send(more, action) {
  const sent = chosen()
  const body = new URLSearchParams({ locale: form.elements.locale.value, ...sent, ...more })
  try {
    const reply = await fetch(action, { method: 'POST', body, headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    const fresh = page.querySelector('main')
    if (!fresh || reply.status >= 500 || reply.status === 429) return false
    const blocked = fresh.querySelector('[data-blocked]')
    const refused = new URL(reply.url).searchParams.has('order')
    if (!refused) history.replaceState(history.state, '', reply.url)
    if (!fresh.dataset.status || !(blocked ? ways : isSame(fresh))) {
      // Another page, or other methods: what was typed stays in this entry of the history.
      document.dispatchEvent(new Event('keep'))
      if (refused) history.replaceState(history.state, '', reply.url)
      location.reload()
      return false
    }
    const since = chosen()
    show(fresh)
    const problem = main.querySelector('.summary [role="alert"]')
    if (problem) problem.focus()
    else main.querySelector('[data-total]').textContent = fresh.querySelector('[data-total]').dataset.total
    if (JSON.stringify(since) === JSON.stringify(sent)) return !refused && !blocked
    // Chosen while this was under way: it stays, and is applied next.
    for (const field of fields()) {
      const value = since[field.name]
      if (value === undefined) continue
      if (isChoice(field)) field.checked = field.value === value
      else field.value = value
    }
    apply()
    return false
  } catch {
    // Offline for a moment: the form that pays carries what is chosen, too.
    return false
  }
}

if (form) {
  document.documentElement.classList.add('live')
  document.addEventListener('change', ({ target }) => {
    if (!target.closest('[data-choices]')) return
    if (target.name === 'tip' && target.value === 'own') document.getElementById('tip_own')?.focus()
    if (JSON.stringify(chosen()) !== applied || underWay > 0) apply()
  })
  document.addEventListener('submit', (event) => {
    if (event.target === form || !/\/order(\?|$)/.test(event.target.getAttribute('action'))) return
    event.preventDefault()
    apply(Object.fromEntries(new FormData(event.target)))
  })
}
