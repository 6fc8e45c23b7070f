import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { defineStore } from '../../contract/define-store.ts';
import type { Content } from '../../domain/deliveries/message.ts';

let client: SESClient | undefined;

// Without `throwOnRequestTimeout` a request that takes too long is not ended.
const requestHandler = { connectionTimeout: 2000, requestTimeout: 6000, throwOnRequestTimeout: true };

const ses = (): SESClient => {
  // Trying again is ours: the SDK would do so out of turn, and after a lost answer it would send the mail twice.
  client ??= new SESClient({ maxAttempts: 1, requestHandler });
  return client;
};

/** What SES tells us about a mail later: its tags come back with a bounce or a complaint. */
interface Marks {
  readonly configurationSet: string;
  readonly subscription: string;
  readonly topic: string;
  /** Of the topic that the subscription is of. */
  readonly generation: string;
  /** The id of what the mail delivers: an event, or a request to confirm. */
  readonly message: string;
  /** Which of the two that is. */
  readonly type: Content['type'];
}

const send = (sesClient: SESClient, sender: string) => ({
  /** Sends one raw mail to one address: a bad address rejects nobody else. */
  async send(mail: Uint8Array, address: string, { configurationSet, ...tags }: Marks): Promise<void> {
    await sesClient.send(
      new SendRawEmailCommand({
        Source: sender,
        Destinations: [address],
        RawMessage: { Data: mail },
        ConfigurationSetName: configurationSet,
        Tags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
      }),
    );
  },
  sender,
});

export const mail = defineStore({ name: 'mail', client: ses, permissions: { send } });
