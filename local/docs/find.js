// Hides what does not have the words of the field, and leads links of the former reference to their pages.
const field = document.querySelector('#find')
const areas = [...document.querySelectorAll('.area')].map((area) => {
  const name = area.querySelector('h2, h3').textContent
  const rows = [...area.querySelectorAll('li')].map((row) => {
    const text = `${name} ${row.textContent} ${row.querySelector('a').getAttribute('href')}`
    return { row, text: text.toLowerCase() }
  })
  return { area, rows }
})

function find() {
  const words = field.value.toLowerCase().split(/\s+/)
  let found = 0
  for (const { area, rows } of areas) {
    for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word))
    const fits = rows.filter(({ row }) => !row.hidden).length
    area.hidden = fits === 0
    found += fits
  }
  document.querySelector('output').textContent = field.value.trim() ? `${found} found` : ''
}

function lead() {
  const id = /^#\/[^/]+\/([\w.]+)$/.exec(location.hash)?.[1]
  if (id) location.replace(id.startsWith('event.') ? `/docs/events/${id.slice(6)}` : `/docs/operations/${id}`)
}

field.closest('p').hidden = false
field.addEventListener('input', find)
addEventListener('hashchange', lead)
lead()
find()
