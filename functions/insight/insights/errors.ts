import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  insight_not_found: problem(404, 'There is no such insight.', 'List the insights for their ids.'),
  insight_acknowledged: problem(409, 'The insight is acknowledged already.', 'Dismiss it if it is wrong.'),
  insight_ended: problem(
    409,
    'The insight has ended.',
    'Nothing is left to do: what is unusual again opens another one.',
  ),
}
