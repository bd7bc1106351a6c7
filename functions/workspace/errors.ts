import { problem } from '../../src/http/declaration.ts'

export const errors = {
  workspace_exists: problem(
    409,
    'This workspace is open in this environment already.',
    'Nothing is left to do: the workspace is open.',
  ),
}
