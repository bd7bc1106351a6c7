import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  location_not_found: problem(404, 'There is no such location.', 'List the locations for their ids.'),
  location_name_taken: problem(
    409,
    'Another active location of this workspace has this name.',
    'Choose another name, or archive the other location first.',
  ),
  location_archived: problem(409, 'The location is archived.', 'Restore it first.'),
  location_not_archived: problem(409, 'The location is not archived.', 'Nothing is left to do.'),
}
