import { Refusal } from '../../shared/model/refusals.ts';

/** The refusal that a call ends in; anything else, a return included, fails the test. */
export async function refusalOf(call: () => unknown): Promise<Refusal> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('the call was not refused');
}
