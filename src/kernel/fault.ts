/** An error whose words may be logged: they hold nothing that came from outside, no id and no value. */
export class Fault extends Error {
  override readonly name = 'Fault'
}
