/** Thrown for work that another copy is doing now: it goes back to the queue without being a fault. */
export class Busy extends Error {
  override readonly name = 'Busy';
}
