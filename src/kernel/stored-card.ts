/** A card as a device has stored it for the processor, which alone can read it: it has no number. */
export type StoredCard = {
  readonly device_id: string
  readonly token: string
  readonly presented_as: string
  readonly answer: 'at_once' | 'lost' | 'late'
}
