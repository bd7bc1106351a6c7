// The script of a display: it asks what its register shows, and shows that. Without it the page reloads by itself.
const main = document.querySelector('main[data-status]')
const [often, slowest] = [1500, 15000]
let pause = often

async function ask() {
  try {
    const reply = await fetch(main.dataset.status, { cache: 'no-store' })
    if (reply.status === 404) return location.reload()
    if (!reply.ok) throw new Error(String(reply.status))
    pause = often
    const { followed } = await reply.json()
    if (followed !== main.dataset.followed) await show()
  } catch {
    // Offline for a moment, or asked too often: ask later.
    pause = Math.min(pause * 2, slowest)
  }
  setTimeout(ask, pause * (0.75 + Math.random() / 2))
}

async function show() {
  const reply = await fetch(main.dataset.page, { cache: 'no-store', headers: { Accept: 'text/html' } })
  if (!reply.ok) return
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
