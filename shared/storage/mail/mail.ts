import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { defineStore } from '../../contract/store.ts';

let client: SESClient | undefined;
const ses = (): SESClient => {
  // Trying again is ours: the SDK would do so out of turn, and after a lost answer it would send the mail twice.
  client ??= new SESClient({ maxAttempts: 1, requestHandler: { connectionTimeout: 2000, requestTimeout: 6000 } });
  return client;
};

/** What SES tells us about a mail later: its tags come back with a bounce or a complaint. */
interface Marks {
  readonly configurationSet: string;
  readonly subscription: string;
  readonly topic: string;
}

const send = (sesClient: SESClient, sender: string) => ({
  /** Sends one raw mail to one address: a bad address rejects nobody else. */
  async send(mail: Uint8Array, address: string, { configurationSet, subscription, topic }: Marks): Promise<void> {
    await sesClient.send(
      new SendRawEmailCommand({
        Source: sender,
        Destinations: [address],
        RawMessage: { Data: mail },
        ConfigurationSetName: configurationSet,
        Tags: [
          { Name: 'subscription', Value: subscription },
          { Name: 'topic', Value: topic },
        ],
      }),
    );
  },
  sender,
});

export const mail = defineStore({ name: 'mail', client: ses, permissions: { send } });
