// Once a card is known, the terms that it gets stand in place of the terms that some card gets.

let asked = 0

/** `token`: the card's; null while there is none. Where the answer does not come, the first list stays: it works too. */
export async function showTerms(form, token) {
  const place = form.querySelector('[data-terms]')
  if (!place) return
  const mine = ++asked
  place.first ??= [...place.childNodes]
  const { first } = place
  const chosen = () => form.elements.months.value
  if (token === null) return put(place, first, chosen())
  const { quote, attempt_key, locale } = form.elements
  const body = new URLSearchParams({
    quote: quote.value,
    attempt_key: attempt_key.value,
    locale: locale.value,
    card_token: token,
  })
  try {
    const reply = await fetch(place.dataset.terms, { method: 'POST', body, headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    const found = [...page.querySelectorAll('.no-offers, .terms')]
    if (mine !== asked || found.length === 0) return
    const single = page.querySelector('.terms') ? [] : [page.querySelector('input[name="months"]')]
    put(
      place,
      [...found, ...single].map((part) => document.adoptNode(part)),
      chosen(),
    )
  } catch {
    // Offline for a moment: the server says what this card gets when the form is sent.
  }
}

function put(place, parts, months) {
  place.replaceChildren(...parts)
  const same = place.querySelector(`[name="months"][value="${months}"], option[value="${months}"]`)
  if (same?.type === 'radio') same.checked = true
  if (same?.tagName === 'OPTION') same.selected = true
  place.dispatchEvent(new Event('change', { bubbles: true }))
}
