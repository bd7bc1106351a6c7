import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  stock_level_not_found: problem(404, 'There is no such stock level.', 'List the levels for their ids.'),
  stock_movement_not_found: problem(
    404,
    'There is no such movement of stock.',
    'List the movements for their ids.',
  ),
  stock_reservation_not_found: problem(
    404,
    'There is no such reservation.',
    'List the reservations for their ids.',
  ),
  stock_not_tracked: problem(
    409,
    'The stock of this item is not tracked.',
    'Whether stock is tracked is said when an item is made and stays: make another item with `tracks_stock`. Of a bundle the stock of each part counts: name the parts.',
  ),
  stock_insufficient: problem(
    409,
    'There is not enough of it.',
    'Read the level: `available` is what is on hand and not reserved.',
  ),
  stock_reservation_ended: problem(
    409,
    'The reservation was committed, released or has expired.',
    'Read its status. To hold the stock again, make a new reservation.',
  ),
  stock_reservation_of_payment: problem(
    409,
    'A payment holds this reservation, and ends it.',
    'Capture, cancel or refund the payment instead.',
  ),
}
