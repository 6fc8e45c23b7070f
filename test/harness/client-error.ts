import { ClientError } from '../../shared/domain/client-errors.ts';

/** Returns the client error with which a call is rejected. Any other result fails the test. */
export async function clientErrorOf(call: () => unknown): Promise<ClientError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('the call was not rejected');
}
