import { ClientError } from '../../shared/domain/client-errors.ts';

/** Returns the client error from a rejected call. The test fails if the call returns or throws anything else. */
export async function clientErrorOf(call: () => unknown): Promise<ClientError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('the call was not rejected');
}
