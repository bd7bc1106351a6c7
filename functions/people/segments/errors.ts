import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  segment_not_found: problem(404, 'There is no such segment.', 'List the segments for their ids.'),
  segment_pins_too_many: problem(
    422,
    'A segment has at most 1,000 pinned customers.',
    'Give the customers a tag, and have the rule ask for it.',
  ),
}
