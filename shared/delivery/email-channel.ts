import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { defineStore } from '../contract/capabilities.ts';
import type { Channel } from './channel.ts';
import { writeMail } from './write-mail.ts';

let client: SESClient | undefined;
const ses = (): SESClient => {
  client ??= new SESClient({});
  return client;
};

const send = (sesClient: SESClient, sender: string) => ({
  /** Sends one raw mail to one address: a bad address rejects nobody else. */
  async send(mail: Uint8Array, address: string): Promise<void> {
    await sesClient.send(
      new SendRawEmailCommand({ Source: sender, Destinations: [address], RawMessage: { Data: mail } }),
    );
  },
  sender,
});

export const mail = defineStore({ name: 'mail', client: ses, permissions: { send } });

/**
 * Delivers by e-mail: accepted by SES is delivered. What SES refuses is a failed attempt, and `onFault` hears of it,
 * because the reason may lie with us (an unverified sender, a limit) as well as with the address.
 */
export function emailChannel(mailer: ReturnType<typeof send>, onFault: (error: unknown) => void): Channel {
  return {
    async deliver(message, recipient) {
      const raw = await writeMail(message, recipient, mailer.sender);
      try {
        await mailer.send(raw, recipient.address);
        return { class: 'delivered' };
      } catch (error) {
        onFault(error);
        return { class: 'email' };
      }
    },
  };
}
