import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { SESClient } from '@aws-sdk/client-ses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailChannel, mail } from '../../shared/delivery/email-channel.ts';
import { composeMessage } from '../../shared/domain/compose-message.ts';
import { aNotification, aSubscription, aTopic } from '../support/builders.ts';

const { default: startSes } = createRequire(import.meta.url)('aws-ses-v2-local') as typeof import('aws-ses-v2-local');
const sender = 'registry@example.org';
const topic = aTopic({ name: 'CR' });
const message = composeMessage(aNotification(topic), Buffer.from('{"uin":"4711"}').toString('base64'), {
  baseUrl: 'https://registry.example',
  deliveryFormat: 'raw',
});
const aClerk = (address: string) => aSubscription(topic, { protocol: 'email', address });

let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = await startSes({ host: '127.0.0.1', port: 0 });
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const mailerAt = (address: string) => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SESClient({ endpoint: address, region: 'us-east-1', credentials, maxAttempts: 1 });
  return mail.permissions.send(client, sender);
};

interface Inbox {
  readonly emails: readonly { readonly subject: string; readonly destination: { readonly to: readonly string[] } }[];
}

describe('the e-mail channel', () => {
  it('sends one mail to one address', async () => {
    const faults: unknown[] = [];
    const channel = emailChannel(mailerAt(endpoint), (error) => void faults.push(error));
    expect(await channel.deliver(message, aClerk('clerk@town.example'))).toEqual({ class: 'delivered' });
    const inbox = (await (await fetch(`${endpoint}/store`)).json()) as Inbox;
    expect(inbox.emails).toHaveLength(1);
    expect(inbox.emails[0]?.subject).toBe('CR');
    expect(inbox.emails[0]?.destination.to.join()).toContain('clerk@town.example');
    expect(faults).toEqual([]);
  });

  it('takes what SES refuses for a failed attempt, and tells of it', async () => {
    const faults: unknown[] = [];
    const refusing = { ...mailerAt(endpoint), send: () => Promise.reject(new Error('MessageRejected')) };
    const channel = emailChannel(refusing, (error) => void faults.push(error));
    expect(await channel.deliver(message, aClerk('clerk@town.example'))).toEqual({ class: 'email' });
    expect(faults).toHaveLength(1);
  });

  it('takes an SES that cannot be reached for a failed attempt', async () => {
    const faults: unknown[] = [];
    const channel = emailChannel(mailerAt('http://127.0.0.1:1'), (error) => void faults.push(error));
    expect(await channel.deliver(message, aClerk('clerk@town.example'))).toEqual({ class: 'email' });
    expect(faults).toHaveLength(1);
  });
});
