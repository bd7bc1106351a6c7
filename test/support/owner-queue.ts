/**
 * Runs the work of several owners, one owner at a time, in the order of their calls; one owner's work runs
 * concurrently. A caller starts at once if nothing runs, or if its own owner's work runs and the queue is empty.
 */
export class Turns {
  #owner: string | undefined
  #running = 0
  readonly #waiting: { owner: string; go: () => void }[] = []

  async take<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const isFree = this.#running === 0 || (this.#owner === owner && this.#waiting.length === 0)
    if (isFree) this.#enter(owner)
    else await new Promise<void>((go) => this.#waiting.push({ owner, go }))
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #enter(owner: string): void {
    this.#owner = owner
    this.#running += 1
  }

  #leave(): void {
    this.#running -= 1
    const next = this.#waiting[0]
    if (this.#running > 0 || !next) return
    for (const each of this.#waiting.splice(0)) {
      if (each.owner === next.owner) {
        this.#enter(each.owner)
        each.go()
      } else this.#waiting.push(each)
    }
  }
}
