// A receiver of Spindle's webhooks: node docs/examples/receive-webhooks.mjs
//
//   WEBHOOK_SECRET   whsec_…, from the reply that created the endpoint, or from `npm run listen`
//   PORT             3000 when absent
//
// Needs one package: npm install standardwebhooks
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const secret = process.env.WEBHOOK_SECRET
if (!secret?.startsWith('whsec_')) {
  console.error('Set WEBHOOK_SECRET to the whsec_… of the endpoint, or of `npm run listen`.')
  process.exit(1)
}
const webhook = new Webhook(secret)

// Ids already taken. In your service: a table keyed by webhook-id, written in the transaction of the event's changes.
const taken = new Set()
// The newest sequence per resource: messages may overtake each other.
const newest = new Map()

async function read(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function handle(event) {
  const { object } = event.data
  if ((newest.get(object.id) ?? 0) > event.sequence)
    return console.log(`late      ${event.type} ${object.id}`)
  newest.set(object.id, event.sequence)
  console.log(`${event.type} ${object.id} ${object.status ?? ''}`)
}

const server = createServer(async (request, response) => {
  const body = await read(request)
  let event
  try {
    // The raw bytes: JSON that was parsed and written again has another signature.
    event = webhook.verify(body, request.headers)
  } catch {
    return response.writeHead(400).end()
  }
  // Answer within ten seconds; do longer work afterwards.
  if (taken.has(event.id)) console.log(`duplicate ${event.type} ${event.id}`)
  else {
    taken.add(event.id)
    handle(event)
  }
  response.writeHead(204).end()
})

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`listening on http://localhost:${server.address().port}`),
)
