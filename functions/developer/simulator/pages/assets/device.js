// A reader or a phone in a browser: it pairs, asks what to do, and answers.
const main = document.querySelector('main')
const part = (name) => main.querySelector(`[data-part="${name}"]`)
const slot = (name, within) => part(within).querySelector(`[data-slot="${name}"]`)
const words = main.dataset
const kept = 'spindle-device'
const patienceMs = 20000

let device = JSON.parse(sessionStorage.getItem(kept) ?? 'null')
let shown = null

function keep(next) {
  device = next
  if (next) sessionStorage.setItem(kept, JSON.stringify(next))
  else sessionStorage.removeItem(kept)
}

function show(name) {
  main.querySelector('[data-off]').hidden = !device
  if (shown === name) return
  shown = name
  for (const each of main.querySelectorAll('[data-part]')) each.hidden = each.dataset.part !== name
  part(name).querySelector('h1').focus()
}

function say(message) {
  const alert = main.querySelector('[data-wrong]')
  alert.hidden = !message
  alert.textContent = message ?? ''
}

class Refused extends Error {}

async function ask(method, path, body, bearer = device.credential) {
  const reply = await fetch(path, {
    method,
    cache: 'no-store',
    signal: AbortSignal.timeout(patienceMs),
    headers: { Authorization: `Bearer ${bearer}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.headers.get('Content-Type')?.startsWith('application/json')) return null
  const answer = await reply.json()
  if (reply.ok) return answer
  throw Object.assign(new Refused(answer.error?.message), { code: answer.error?.code, status: reply.status })
}

const money = (minor, currency) =>
  new Intl.NumberFormat(words.locale, { style: 'currency', currency }).format(
    `${minor.slice(0, -2) || '0'}.${minor.slice(-2).padStart(2, '0')}`,
  )
/** `12.5` as minor units. */
function minorOf(typed) {
  const [whole, cents = ''] = typed.split('.')
  return String(BigInt(whole + cents.padEnd(2, '0')))
}

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
/** A form that the person sends. */
const done = (name) =>
  new Promise((resolve) => {
    part(name).querySelector('form').addEventListener('submit', resolve, { once: true })
  })

/** What the person typed was refused; or nothing was heard. */
const refused = ({ status }, wrong) =>
  say(status < 500 && status !== 429 ? wrong : main.querySelector('[data-offline]').textContent)

async function paired() {
  for (;;) {
    show('pair')
    await done('pair')
    const code = part('pair').querySelector('#code').value.trim().toUpperCase()
    try {
      const { one_time_value, ...made } = await ask(
        'POST',
        '/v1/device/pair',
        { model: 'Spindle browser' },
        code,
      )
      const { id, object, name, location_id } = made
      keep({
        credential: one_time_value,
        id,
        object,
        name,
        location: location_id,
        isOpen: object !== 'phone',
      })
      return say(null)
    } catch (error) {
      refused(error, words.pair_wrong)
    }
  }
}

async function opened() {
  slot('device', 'open').textContent = device.id
  slot('location', 'open').textContent = device.location
  for (;;) {
    show('open')
    await done('open')
    const secret = part('open').querySelector('#secret').value.trim()
    try {
      await ask('POST', '/v1/tap-to-pay/connection_tokens/redeem', { secret })
      keep({ ...device, isOpen: true })
      return say(null)
    } catch (error) {
      refused(error, words.open_wrong)
    }
  }
}

const of = (action) => `/v1/device/actions/${action.id}`
const answer = (action, more = {}) => ask('POST', `${of(action)}/result`, { outcome: 'completed', ...more })

/** It stands until something else is asked, or the person goes on. */
function tell(status, amount) {
  part('done').querySelector('h1').textContent = words[status] ?? status
  slot('amount', 'done').textContent = amount
  show('done')
}

const does = {
  async process_payment(action) {
    const amount = money(action.amount, action.currency)
    slot('amount', 'take').textContent = amount
    const term = action.installments ? `${action.installments.months} ${words.months}` : ''
    slot('description', 'take').textContent = [action.description, term].filter(Boolean).join(' · ')
    await ask('POST', `${of(action)}/progress`, { step: 'waiting_for_card' })
    show('take')
    let [tapped, now] = [null, action]
    done('take').then(() => {
      tapped = {
        card: part('take').querySelector('#card-kind').value,
        presented_as: part('take').querySelector('#card-way').value,
      }
    })
    // The cashier may cancel, or the time end, while nobody taps.
    for (let turns = 0; now.status === 'in_progress'; turns++) {
      if (tapped) {
        const card = tapped
        tapped = null
        now = await ask('POST', '/v1/sandbox/device/present-card', card)
      } else if (turns % 4 === 0) now = await ask('GET', of(action))
      if (now.status === 'in_progress') await wait(0.25)
    }
    if (now.status === 'succeeded' || now.status === 'failed')
      await answer(action, { outcome: now.status === 'succeeded' ? 'completed' : 'failed' })
    tell(now.status, amount)
  },
  async collect_tip(action) {
    const { presets, allows_none, allows_other, amount, currency } = action.tip
    slot('on', 'tip').textContent = `${words.on} ${money(amount, currency)}`
    const none = part('tip').querySelector('[data-none]')
    none.hidden = !allows_none
    part('tip').querySelector('form').hidden = allows_other === false
    let chosen = null
    slot('presets', 'tip').replaceChildren(
      ...presets.map((preset, at) => {
        const button = document.createElement('button')
        button.type = 'button'
        button.className = 'primary'
        button.textContent = money(preset.amount, currency)
        button.addEventListener('click', () => {
          chosen = { preset: at }
        })
        return button
      }),
    )
    none.onclick = () => {
      chosen = { none: true }
    }
    done('tip').then(() => {
      chosen = { other: minorOf(part('tip').querySelector('#other').value) }
    })
    show('tip')
    // The till may give it up, or its time end, while nobody chooses.
    for (let turns = 0, now = action; now.status === 'in_progress'; turns++) {
      if (chosen) return void (await answer(action, { tip: chosen }))
      if (turns % 8 === 0) now = await ask('GET', of(action))
      await wait(0.25)
    }
  },
  async display(action) {
    await answer(action)
    const { cart } = action.display
    if (!cart) return
    slot('lines', 'shown').replaceChildren(
      ...cart.line_items.map(({ name, quantity, amount_total }) => {
        const line = document.createElement('li')
        const [what, price] = [document.createElement('span'), document.createElement('span')]
        what.textContent = quantity > 1 ? `${quantity} × ${name}` : name
        price.textContent = money(amount_total, cart.currency)
        line.append(what, price)
        return line
      }),
    )
    slot('amount', 'shown').textContent = money(cart.amount, cart.currency)
    show('shown')
  },
  async print(action) {
    await ask('GET', action.print.path)
    await answer(action)
    tell('printed', '')
  },
  async ping(action) {
    await answer(action)
  },
}

/** One question, and what it answers. A display stays until something else is asked, and a result. */
async function turn() {
  const { action, ask_again_seconds } = await ask('GET', '/v1/device/next-action')
  if (!action) {
    if (shown !== 'shown' && shown !== 'done') show('wait')
    return ask_again_seconds
  }
  await does[action.type](action)
  return 0
}

async function run() {
  if (!device) await paired()
  if (!device.isOpen) await opened()
  slot('name', 'wait').textContent = device.name
  let failures = 0
  while (device) {
    try {
      await wait(await turn())
      failures = 0
      say(null)
    } catch (error) {
      if (error.status === 401) break
      if (error instanceof Refused) say(error.message)
      else failures += 1
      await wait(2)
    }
    main.querySelector('[data-offline]').hidden = failures < 2
  }
  keep(null)
  location.reload()
}

// A form that nobody waits for is sent nowhere.
main.addEventListener('submit', (event) => event.preventDefault())
part('done')
  .querySelector('[data-next]')
  .addEventListener('click', () => show('wait'))
main.querySelector('[data-off]').addEventListener('click', () => {
  keep(null)
  location.reload()
})
run()
