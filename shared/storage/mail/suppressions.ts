import { DeleteSuppressedDestinationCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import { defineStore } from '../../contract/define-store.ts';
import { Fault } from '../../model/faults.ts';

let client: SESv2Client | undefined;

// Three tries of so long end before their job does.
const requestHandler = { connectionTimeout: 2000, requestTimeout: 6000, throwOnRequestTimeout: true };

const sesV2 = (): SESv2Client => {
  client ??= new SESv2Client({ maxAttempts: 3, requestHandler });
  return client;
};

const remove = (ses: SESv2Client) => ({
  /**
   * Takes an address off the account's suppression list; false: it was not on it. SES compares it as it is written, upper
   * case and lower case.
   * @throws Fault `suppressionKept`, for what SES says of an error quotes the address
   */
  async remove(address: string): Promise<boolean> {
    try {
      await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw new Fault('suppressionKept', {}, error);
    }
  },
});

/**
 * The addresses that SES sends nothing to, a list of the account. It has a client of its own: only version 2 of the API
 * knows it.
 */
export const suppressions = defineStore({ name: 'suppressions', client: sesV2, permissions: { remove } });
