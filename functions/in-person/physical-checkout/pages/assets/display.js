// The script of a display: it asks what its register shows, and shows that. Without it the page reloads by itself.
const main = document.querySelector('main[data-status]')
const [often, slowest, patienceMs] = [1500, 15000, 10000]
let pause = often
let failures = 0

const get = (address, headers) =>
  fetch(address, { cache: 'no-store', headers, signal: AbortSignal.timeout(patienceMs) })

async function ask() {
  try {
    const reply = await get(main.dataset.status)
    if (reply.status === 404) return location.reload()
    if (!reply.ok) throw new Error(String(reply.status))
    const { followed } = await reply.json()
    if (followed !== main.dataset.followed) await show()
    failures = 0
    pause = often
  } catch {
    // Offline for a moment, or asked too often: ask later.
    failures += 1
    pause = Math.min(pause * 2, slowest)
  }
  main.querySelector('[data-offline]').hidden = failures < 3
  setTimeout(ask, pause * (0.75 + Math.random() / 2))
}

async function show() {
  const reply = await get(main.dataset.page, { Accept: 'text/html' })
  if (!reply.ok) throw new Error(String(reply.status))
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
  const fresh = page.querySelector('main[data-status]')
  if (!fresh) return
  main.replaceChildren(...document.adoptNode(fresh).childNodes)
  main.className = fresh.className
  Object.assign(main.dataset, fresh.dataset)
  const said = main.querySelector('[role="status"]')
  said.textContent = said.dataset.said
}

setTimeout(ask, often)
