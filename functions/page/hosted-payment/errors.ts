import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  card_token_unknown: problem(
    422,
    'The token stands for no card here.',
    'Send a token of this environment that your card form has just made: of the account that takes your payments, or in the sandbox one of a test card.',
  ),
  cards_paused: problem(
    409,
    'So many cards were declined that cards pause for a while.',
    'Wait ten minutes, or an hour where they were of one e-mail address. Other ways to pay stay open on the page of what is sold.',
  ),
}
