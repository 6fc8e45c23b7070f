import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { defineStore } from '../../contract/define-store.ts';
import type { Content } from '../../domain/deliveries/message.ts';

let client: SESClient | undefined;

// Without `throwOnRequestTimeout` the SDK would not end a slow request.
const requestHandler = { connectionTimeout: 2000, requestTimeout: 6000, throwOnRequestTimeout: true };

const ses = (): SESClient => {
  // We retry ourselves. The SDK would retry outside the sending rate, and send a mail twice if a response is lost.
  client ??= new SESClient({ maxAttempts: 1, requestHandler });
  return client;
};

interface MailTags {
  readonly configurationSet: string;
  readonly subscription: string;
  readonly topic: string;
  readonly generation: string;
  readonly message: string;
  readonly type: Content['type'];
}

const send = (sesClient: SESClient, sender: string) => ({
  /** Sends one raw mail to one address, so that a bad address affects no other recipient. */
  async send(mail: Uint8Array, address: string, { configurationSet, ...tags }: MailTags): Promise<void> {
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
