import { stack } from './stack.ts'

/** Answers the simulated bank's challenge as its page's form does. `reference` is the attempt's id. */
export async function answerBank(
  reference: string,
  outcome: 'approve' | 'fail',
): Promise<{ status: number; location: string | null }> {
  const url = `${stack.sandbox.directUrl}/simulator/3ds/${reference}`
  const body = new URLSearchParams({ outcome, locale: 'en' })
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  await response.text()
  return { status: response.status, location: response.headers.get('location') }
}
