// Keeps the cart of a catalog in this browser, across searches and pages. Each page also works without it.

const form = document.querySelector('form[data-shop]')
const shop = location.pathname.split('/')[2]
const place = `cart:${shop}`

const load = () => {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(place) ?? '{}')))
  } catch {
    return new Map()
  }
}
const cart = load()
const save = () => {
  try {
    localStorage.setItem(place, JSON.stringify(Object.fromEntries(cart)))
  } catch {
    // No storage here: what stands on this page is ordered.
  }
}

if (location.hash === '#bought') {
  cart.clear()
  history.replaceState(null, '', location.pathname + location.search)
}
for (const { dataset } of document.querySelectorAll('[data-gone]')) cart.delete(dataset.gone)
save()

if (form) start()

function start() {
  const { currency, digits } = form.dataset
  const words = JSON.parse(form.dataset.words)
  const panel = form.querySelector('[data-cart]')
  const said = form.querySelector('[data-said]')
  const rows = [...form.querySelectorAll('[data-item]')].flatMap((row) => {
    const choice = row.querySelector('[name^="choice."]')
    const quantity = row.querySelector('[name^="quantity."]')
    return choice && quantity ? [{ choice, quantity, name: row.dataset.name }] : []
  })

  // On the page of one item it begins at one: that is ordered with the cart, and kept in it once it is added or changed.
  const begun = new Map()
  const isAlone = form.querySelector('.alone') !== null

  const idOf = (value) => value.split(':')[0]
  const optionOf = ({ choice }) => (choice.tagName === 'SELECT' ? choice.selectedOptions[0] : choice)
  const lineOf = (row, option, quantity) => {
    const { amount, percent, label } = option.dataset
    const name = label ? `${row.name}: ${label}` : row.name
    return { q: quantity, v: option.value, n: name, a: amount, p: percent }
  }

  // Exact: amounts are whole minor units, and the IVA of a line is rounded half up once.
  const totalOf = ({ q, a, p }) => {
    const net = BigInt(a) * BigInt(q)
    return net + (2n * net * BigInt(p) + 100n) / 200n
  }
  const money = (minor) => {
    const text = String(minor).padStart(Number(digits) + 1, '0')
    const cut = text.length - Number(digits)
    const format = new Intl.NumberFormat(document.documentElement.lang, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: Number(digits),
    })
    return format.format(digits === '0' ? text : `${text.slice(0, cut)}.${text.slice(cut)}`)
  }

  const put = (row) => {
    const option = optionOf(row)
    const typed = row.quantity.value.trim()
    if (/^[1-9]\d{0,4}$/.test(typed)) cart.set(idOf(option.value), lineOf(row, option, typed))
    else cart.delete(idOf(option.value))
    begun.clear()
    save()
    draw()
  }
  const show = (row) => {
    row.quantity.value = cart.get(idOf(optionOf(row).value))?.q ?? ''
  }
  const begin = (row) => {
    const option = optionOf(row)
    begun.clear()
    show(row)
    if (!isAlone || cart.has(idOf(option.value))) return
    row.quantity.value = '1'
    begun.set(idOf(option.value), lineOf(row, option, '1'))
  }

  function draw() {
    const lines = [...cart, ...begun]
    panel.hidden = lines.length === 0
    form.querySelector('[data-hint]').hidden = lines.length > 0
    const list = panel.querySelector('ul')
    list.replaceChildren()
    let total = 0n
    let count = 0
    for (const [id, line] of lines) {
      total += totalOf(line)
      count += Number(line.q)
      list.append(entry(`${line.q} × ${line.n}`, totalOf(line), removal(id, line)))
    }
    list.append(entry(words.total, total))
    list.lastChild.className = 'sum'
    const [one, many] = words.counted
    said.replaceChildren()
    if (count === 0) return
    const link = document.createElement('a')
    link.href = '#cart-heading'
    link.textContent = `${count} ${count === 1 ? one : many} · ${money(total)}`
    said.append(link)
  }

  function entry(label, minor, ...more) {
    const item = document.createElement('li')
    const [name, price] = [document.createElement('span'), document.createElement('span')]
    name.textContent = label
    price.textContent = money(minor)
    item.append(name, price, ...more)
    return item
  }

  function removal(id, line) {
    const remove = document.createElement('button')
    remove.type = 'button'
    remove.className = 'small'
    remove.textContent = words.remove
    remove.setAttribute('aria-label', `${words.remove}: ${line.n}`)
    remove.addEventListener('click', () => {
      cart.delete(id)
      begun.delete(id)
      save()
      for (const row of rows) if (idOf(optionOf(row).value) === id) show(row)
      draw()
      const next = panel.querySelector('button') ?? form.querySelector('.primary')
      next.focus()
    })
    return remove
  }

  const isReturned = form.querySelector('.kept') !== null
  for (const row of rows) {
    // Prices as this page shows them.
    const options = row.choice.tagName === 'SELECT' ? [...row.choice.options] : [row.choice]
    for (const option of options) {
      const kept = cart.get(idOf(option.value))
      if (kept && option.dataset.amount) cart.set(idOf(option.value), lineOf(row, option, kept.q))
    }
    if (isReturned) put(row)
    else begin(row)
    row.quantity.addEventListener('input', () => put(row))
    row.choice.addEventListener('change', () => {
      begin(row)
      draw()
    })
    for (const button of row.quantity.parentElement.querySelectorAll('[data-step]')) {
      button.hidden = false
      button.addEventListener('click', () => {
        const least = Number(row.quantity.value || 0) + Number(button.dataset.step)
        const most = Number(row.quantity.max)
        row.quantity.value = least <= 0 ? '' : String(Math.min(least, most))
        put(row)
      })
    }
  }
  const add = form.querySelector('[data-add]')
  if (add) {
    add.hidden = false
    add.addEventListener('click', () => put(rows[0]))
  }
  save()
  draw()

  // What was put into the cart elsewhere goes along.
  form.addEventListener('formdata', ({ formData }) => {
    const here = new Set(rows.map((row) => idOf(optionOf(row).value)))
    for (const [id, { v, q }] of cart) {
      if (here.has(id)) continue
      formData.append(`choice.${id}`, v)
      formData.append(`quantity.${id}`, q)
    }
  })
}
