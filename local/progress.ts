/** The lines of a start: on a terminal each step is named while it works, elsewhere once it is done. */
export function progressTo(output: { readonly isTTY?: boolean; write(text: string): unknown }) {
  let isOpen = false
  return {
    begin(step: string): void {
      if (!output.isTTY) return
      output.write(`  ${step} …`)
      isOpen = true
    },
    done(step: string, tookMs: number): void {
      const line = `  ${step.padEnd(44)}${String(Math.round(tookMs)).padStart(6)} ms\n`
      output.write(isOpen ? `\r${line}` : line)
      isOpen = false
    },
    /** Ends the line of a step that failed. */
    fail(): void {
      if (isOpen) output.write('\n')
      isOpen = false
    },
  }
}
