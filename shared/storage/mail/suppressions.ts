import { DeleteSuppressedDestinationCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import { defineStore } from '../../contract/define-store.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { sharedClient } from '../client-config.ts';

// The job has enough time for three attempts with this timeout.
const requestHandler = { connectionTimeout: 2000, requestTimeout: 6000, throwOnRequestTimeout: true };

const sesV2 = sharedClient(() => new SESv2Client({ maxAttempts: 3, requestHandler }));

const remove = (ses: SESv2Client) => ({
  /**
   * Removes an address from the account's suppression list. Returns false if the address was not on the list. In this
   * list, addresses are case-sensitive.
   * @throws InternalError `suppressionKept` instead of the SES error, because the message of the SES error contains the
   * address
   */
  async remove(address: string): Promise<boolean> {
    try {
      await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw new InternalError('suppressionKept', {}, error);
    }
  },
});

/**
 * The account's suppression list. Only version 2 of the SES API supports this list, so the store has its own client.
 */
export const suppressions = defineStore({ name: 'suppressions', client: sesV2, permissions: { remove } });
