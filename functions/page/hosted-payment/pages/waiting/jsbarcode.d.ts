declare module 'jsbarcode/bin/barcodes/CODE128/index.js' {
  export class CODE128 {
    constructor(data: string, options: object)
    /** `data`: one digit per module, 1 is a bar. */
    encode(): { data: string; text: string }
  }
}
