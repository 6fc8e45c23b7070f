import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { defineStore } from '../../contract/define-store.ts';
import type { Content } from '../../domain/deliveries/message.ts';
import { sharedClient } from '../client-config.ts';

// `throwOnRequestTimeout` makes the SDK abort slow requests.
const requestHandler = { connectionTimeout: 2000, requestTimeout: 6000, throwOnRequestTimeout: true };

// Only `emailSender` retries. The SDK must not retry: retries would exceed the sending rate, and would send an email
// twice if a response was lost.
const ses = sharedClient(() => new SESClient({ maxAttempts: 1, requestHandler }));

interface MailTags {
  readonly configurationSet: string;
  readonly subscription: string;
  readonly topic: string;
  readonly generation: string;
  readonly message: string;
  readonly type: Content['type'];
}

const send = (sesClient: SESClient, sender: string) => ({
  /** Sends one raw email to one address, so that an invalid address does not affect other recipients. */
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
