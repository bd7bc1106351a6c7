// Copies what a page shows; without scripts it is selected and copied by hand.

const copy = document.querySelector('[data-copy]')
if (copy && navigator.clipboard) {
  copy.hidden = false
  const label = copy.textContent
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copy.dataset.copy)
    copy.textContent = copy.dataset.copied
    document.querySelector('[data-copy-status]').textContent = copy.dataset.copied
    setTimeout(() => {
      copy.textContent = label
    }, 3000)
  })
}
