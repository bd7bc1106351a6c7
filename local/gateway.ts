import type { IncomingMessage, ServerResponse } from 'node:http'
import { reasonOf } from './errors.ts'
import { answer, listenOnLoopback } from './gateway-server.ts'

export type Reply = [status: number, body: string]

/** A call as its gateway has read it. */
export type Work = {
  database: string
  /** The role of the connection string; empty at the Redis gateway. */
  role: string
  /** The statements; of a Redis command, its name and key. */
  statements: readonly string[]
  /** A Redis command with its values. */
  command?: readonly string[]
  /** Runs it and returns what would be answered. */
  execute(): Promise<Reply>
  /** Runs it for its client and answers. */
  serve(): Promise<Reply>
}

/** Stands between a gateway and each of its calls. Tests count, delay and spoil calls here. */
export type Between = (work: Work, response: ServerResponse) => Promise<unknown>

export type Gateway = { url: string; stop(): Promise<void> }

/** @param read undefined for a request that is no call and has been answered */
export async function startGateway(
  read: (request: IncomingMessage, response: ServerResponse) => Promise<Work | undefined>,
  between: Between = (work) => work.serve(),
): Promise<Gateway> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const work = await read(request, response)
    if (work) await between(work, response)
  }
  const server = await listenOnLoopback((request, response) => {
    serve(request, response).catch((cause) =>
      answer(response, 500, JSON.stringify({ message: reasonOf(cause), error: reasonOf(cause) })),
    )
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: server.close }
}
