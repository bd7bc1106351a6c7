// Leaves what has the words of the field, and leads links of the former reference to their pages.
const field = document.querySelector('#find')
const { index } = field.dataset
const output = document.querySelector('output')

function rowOf([area, id, summary, method, path]) {
  const row = document.createElement('li')
  const link = document.createElement('a')
  link.href = `/docs/operations/${id}`
  link.textContent = summary
  const verb = document.createElement('b')
  verb.textContent = method
  const address = document.createElement('code')
  address.textContent = path
  row.append(link, ' ', verb, ' ', address, ` ${area}`)
  return row
}

async function load() {
  if (index) {
    const reply = await fetch(index)
    document.querySelector('#found ul').append(...(await reply.json()).map(rowOf))
  }
  return [...document.querySelectorAll(index ? '#found' : '.area')].map((area) => {
    const name = area.querySelector('h2')?.textContent ?? ''
    const rows = [...area.querySelectorAll('li')].map((row) => {
      const text = `${name} ${row.textContent} ${row.querySelector('a').getAttribute('href')}`
      return { row, text: text.toLowerCase() }
    })
    return { area, rows }
  })
}

let loading

async function find() {
  const asked = field.value.trim()
  loading ??= load()
  const areas = await loading
  if (asked !== field.value.trim()) return
  const words = asked.toLowerCase().split(/\s+/)
  let found = 0
  for (const { area, rows } of areas) {
    for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word))
    const fits = rows.filter(({ row }) => !row.hidden).length
    area.hidden = fits === 0 || (index && !asked)
    found += fits
  }
  if (index) document.querySelector('#unasked').hidden = asked !== ''
  output.textContent = asked ? `${found} found` : ''
}

function lead() {
  const id = /^#\/[^/]+\/([\w.]+)$/.exec(location.hash)?.[1]
  if (id) location.replace(id.startsWith('event.') ? `/docs/events/${id.slice(6)}` : `/docs/operations/${id}`)
}

const findOrSay = () =>
  find().catch(() => {
    loading = undefined
    output.textContent = 'The list could not be read. Reload the page.'
  })

field.closest('p').hidden = false
field.addEventListener('input', findOrSay)
addEventListener('hashchange', lead)
lead()
if (field.value) findOrSay()
