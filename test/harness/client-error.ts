import { ClientError } from '../../shared/domain/client-errors.ts';

/**
 * Returns the client error with which a call is rejected. If the call returns or throws anything else, the test fails.
 */
export async function clientErrorOf(call: () => unknown): Promise<ClientError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('the call was not rejected');
}
