// Copies what a page shows; without scripts it is selected and copied by hand.

const told = document.querySelector('[data-copy-status]')
for (const copy of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  copy.hidden = false
  const label = copy.textContent
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copy.dataset.copy)
    copy.textContent = copy.dataset.copied
    told.textContent = copy.dataset.copied
    setTimeout(() => {
      copy.textContent = label
    }, 3000)
  })
}
