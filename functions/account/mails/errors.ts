import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  mail_not_found: problem(
    404,
    'There is no such mail.',
    'List the mails for their ids; they are deleted thirty days after they are over.',
  ),
  mail_suppression_not_found: problem(
    404,
    'There is no such mail suppression.',
    'List the mail suppressions for their ids.',
  ),
  mail_suppression_stays: problem(
    409,
    'The suppression is lifted already, or is what its recipient wants.',
    'Only the suppression of an address that bounced can be lifted. Ask other recipients to write to us.',
  ),
}
