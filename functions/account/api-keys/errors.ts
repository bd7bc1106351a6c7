import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  api_key_not_found: problem(
    404,
    'There is no such API key.',
    'List the API keys of the workspace for their ids.',
  ),
  api_key_not_rotatable: problem(
    409,
    'Only an active API key can be rotated.',
    'Rotate the newest key, or create one.',
  ),
  api_key_not_revocable: problem(
    409,
    'This API key is being revoked or has ended.',
    'Nothing is left to do: the key no longer works.',
  ),
}
