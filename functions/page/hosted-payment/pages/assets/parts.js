// The script of a page on which several buyers choose their parts of what they share: it follows what the others pay, and
// keeps what is chosen and typed. The page also works without it.
import './pay.js'

const main = document.querySelector('main[data-status]')
const [first, slowest] = [5000, 30000]
let pause = first
let timer

const later = () => {
  clearTimeout(timer)
  timer = setTimeout(ask, pause * (0.75 + Math.random() / 2))
  pause = Math.min(pause * 1.2, slowest)
}

async function ask() {
  if (document.hidden) return later()
  try {
    const reply = await fetch(`${main.dataset.status}?terms=${main.dataset.terms}`, { cache: 'no-store' })
    const { state, terms } = await reply.json()
    if (state !== undefined && (state !== 'open' || terms !== main.dataset.terms)) await renew()
  } catch {
    // Offline for a moment, or asked too often: ask again.
  }
  later()
}

async function renew() {
  const reply = await fetch(main.dataset.page, { cache: 'no-store', headers: { Accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
  const fresh = page.querySelector('main')
  if (!fresh || reply.status >= 500 || reply.status === 429) return
  // Nothing is left to choose.
  if (!fresh.dataset.status) return location.replace(main.dataset.page)
  pause = first
  const fields = [...main.querySelectorAll('input:not([type="hidden"])')]
  const now = document.activeElement
  main.replaceChildren(...document.adoptNode(fresh).childNodes)
  Object.assign(main.dataset, fresh.dataset)
  const sameAs = ({ id, value }) =>
    document.getElementById(id) ?? main.querySelector(`[name="line"][value="${value}"]`)
  for (const field of fields) {
    const same = sameAs(field)
    if (same?.type === 'checkbox') same.checked = field.checked
    else if (same) same.value = field.value
  }
  if (fields.includes(now)) sameAs(now)?.focus()
  main.querySelector('[role="status"]').textContent = main.dataset.changed
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return
  pause = first
  ask()
})
later()
