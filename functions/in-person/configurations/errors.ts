import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  terminal_configuration_not_found: problem(
    404,
    'There is no such configuration of devices.',
    'List the configurations for their ids.',
  ),
  terminal_configuration_archived: problem(
    409,
    'The configuration of devices is archived.',
    'Name an active one, or create another.',
  ),
  terminal_configuration_name_taken: problem(
    409,
    'Another active configuration of this workspace has this name.',
    'Choose another name, or archive the other configuration first.',
  ),
}
