// The script of a voucher's and a CLABE's page. Without scripts everything is read, selected and printed by hand.
import './pay.js'

const spoken = document.querySelector('[data-copy-status]')

function say(button, words) {
  const label = button.textContent
  if (label === words) return
  button.textContent = words
  spoken.textContent = words
  setTimeout(() => {
    button.textContent = label
  }, 3000)
}

for (const copy of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  copy.hidden = false
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copy.dataset.copy)
    say(copy, copy.dataset.copied)
  })
}

const share = document.querySelector('[data-share]')
if (share && (navigator.share || navigator.clipboard)) {
  share.hidden = false
  share.addEventListener('click', async () => {
    const { share: url, text, copied } = share.dataset
    if (navigator.share) return navigator.share({ text, url }).catch(() => {})
    await navigator.clipboard.writeText(url)
    say(share, copied)
  })
}

// A picture for the phone's gallery: what is paid, the bars and the lines below them.
const save = document.querySelector('[data-save]')
if (save) {
  save.hidden = false
  save.addEventListener('click', async () => {
    const file = new File([await picture()], 'spindle.png', { type: 'image/png' })
    if (navigator.canShare?.({ files: [file] }) && matchMedia('(pointer: coarse)').matches)
      return navigator.share({ files: [file] }).catch(() => {})
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = file.name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10000)
  })
}

async function picture() {
  const [width, margin] = [1080, 72]
  const [title, amount, ...lines] = JSON.parse(save.dataset.save)
  const bars = document.querySelector('.barcode')
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  const texts = [
    { size: 44, text: title },
    { size: 88, text: amount, bold: true },
    ...lines.map((text) => ({ size: 40, text })),
  ].flatMap((line) => wrapped(pen, line, width - 2 * margin))
  const barsHeight = bars ? 260 : 0
  canvas.width = width
  canvas.height = texts.reduce((sum, { size }) => sum + size * 1.5, barsHeight + 2 * margin)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, canvas.height)
  let y = margin
  if (bars) {
    const image = new Image()
    const svg = bars.cloneNode(true)
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    svg.setAttribute('width', String(width - 2 * margin))
    svg.setAttribute('height', '200')
    image.src = `data:image/svg+xml,${encodeURIComponent(svg.outerHTML)}`
    await image.decode()
    pen.drawImage(image, margin, y)
    y += barsHeight
  }
  pen.fillStyle = '#111'
  pen.textBaseline = 'top'
  for (const { size, text, bold } of texts) {
    pen.font = fontOf(size, bold)
    pen.fillText(text, margin, y)
    y += size * 1.5
  }
  return new Promise((done) => canvas.toBlob(done, 'image/png'))
}

const fontOf = (size, bold) => `${bold ? '700 ' : ''}${size}px system-ui, sans-serif`

function wrapped(pen, { size, text, bold }, widthMax) {
  pen.font = fontOf(size, bold)
  const rows = ['']
  for (const word of text.split(' ')) {
    const longer = rows.at(-1) ? `${rows.at(-1)} ${word}` : word
    if (rows.at(-1) && pen.measureText(longer).width > widthMax) rows.push(word)
    else rows[rows.length - 1] = longer
  }
  return rows.map((row) => ({ size, bold, text: row }))
}

const left = document.querySelector('[data-left]')
if (left) {
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'always' })
  const show = () => {
    const minutes = Math.max(0, Math.floor((new Date(left.dateTime) - Date.now()) / 60000))
    const [count, unit] =
      minutes >= 2880
        ? [minutes / 1440, 'day']
        : minutes >= 120
          ? [minutes / 60, 'hour']
          : [minutes, 'minute']
    const words = format.format(Math.floor(count), unit)
    if (left.textContent !== words) left.textContent = words
  }
  setInterval(show, 30000)
}
