// Shows an embedded checkout within a merchant's page:
//   const checkout = Spindle.embed('#checkout', { url: session.url, onComplete({ session }) {}, onState(state) {} })
//   checkout.remove()
// What the page tells is for the screen alone: fulfil on the event checkout_session.completed.
window.Spindle = {
  embed(place, { url, title = 'Spindle', onComplete, onState }) {
    const parent = typeof place === 'string' ? document.querySelector(place) : place
    if (!parent) throw new Error(`Spindle.embed: the page has no ${place}`)
    const { origin, pathname } = new URL(url)
    const session = pathname.slice(1)
    const frame = document.createElement('iframe')
    frame.src = url
    frame.title = title
    // A browser that does not share complains of the feature's name.
    frame.allow = navigator.share ? 'clipboard-write; web-share' : 'clipboard-write'
    frame.style.cssText = 'border:0;display:block;width:100%;min-height:24rem'
    let last
    const hear = ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin || data?.spindle !== 'checkout') return
      // Answered when its page is there: before, the frame has another origin.
      if (data.ready) frame.contentWindow.postMessage({ spindle: 'hello' }, origin)
      if (data.height) frame.style.height = `${data.height}px`
      if (!data.state || data.state === last) return
      last = data.state
      onState?.(last)
      if (last === 'succeeded') onComplete?.({ session })
    }
    addEventListener('message', hear)
    parent.append(frame)
    return {
      remove() {
        removeEventListener('message', hear)
        frame.remove()
      },
    }
  },
}
