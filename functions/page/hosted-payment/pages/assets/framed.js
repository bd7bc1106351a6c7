// In a frame of a merchant's page: it learns our height and state, and what leaves this page takes the whole window.
const allowed = document.querySelector('meta[name="embedded-in"]').content.split(' ')

if (window.parent !== window) {
  let host = null
  const main = document.querySelector('main')
  const tell = (message) => {
    if (host) parent.postMessage({ spindle: 'checkout', ...message }, host)
  }
  const tellHeight = () =>
    tell({ height: Math.ceil(document.documentElement.getBoundingClientRect().height) })
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !allowed.includes(origin) || data?.spindle !== 'hello') return
    host = origin
    tell({ state: main.dataset.state ?? 'open' })
    tellHeight()
  })
  // To any parent: it says nothing, and an answer of an origin that is not allowed is not heard.
  parent.postMessage({ spindle: 'checkout', ready: true }, '*')
  new ResizeObserver(tellHeight).observe(document.documentElement)
  for (const link of document.querySelectorAll('a[href]'))
    if (link.origin !== location.origin || link.pathname.endsWith('/bank')) link.target = '_top'
}
