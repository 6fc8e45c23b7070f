import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { SESClient } from '@aws-sdk/client-ses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmailTools, emailSender, mailQuota } from '../../../shared/delivery/email/email-sender.ts';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { mail } from '../../../shared/storage/mail/store.ts';
import { aConfirmation, aNotification, aSubscription, aTopic, noon } from '../../harness/builders.ts';
import { aMailFrame } from '../../harness/mail-frames.ts';
import { readMail } from '../../harness/read-mail.ts';

const { default: startSes } = createRequire(import.meta.url)('aws-ses-v2-local') as typeof import('aws-ses-v2-local');
const sender = 'registry@example.org';
const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const topic = aTopic({ name: 'CR' });
const message = composeMessage(aNotification(topic), Buffer.from('{"uin":"4711"}').toString('base64'), settings);
const aClerk = (address: string) => aSubscription(topic, { protocol: 'email', address });
const clerk = aClerk('clerk@town.example');

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

type Sent = Parameters<EmailTools['mailer']['send']>;

/** Returns an email sender whose mailer returns the given responses in order and then accepts every email. */
function aSender(given: {
  responses?: readonly (string | Partial<Error & { code: string; syscall: string }> | undefined)[];
  turns?: number;
  mailer?: EmailTools['mailer'];
  repeatsUnknown?: boolean;
  now?: () => number;
}) {
  const responses = [...(given.responses ?? [])];
  const log = { sent: [] as Sent[], faults: [] as unknown[], holds: [] as number[], turns: 0 };
  const send = async (...sent: Sent) => {
    log.sent.push(sent);
    const response = responses.shift();
    const error = typeof response === 'string' ? { name: response } : response;
    if (error !== undefined) throw Object.assign(new Error('from SES'), error);
  };
  const channel = emailSender({
    mailer: given.mailer ?? { send, sender },
    pacer: {
      turn: async () => ++log.turns <= (given.turns ?? 100),
      delay: (milliseconds) => void log.holds.push(milliseconds),
    },
    quota: mailQuota(given.now ?? (() => noon), () => {}),
    configurationSet: 'registry-set',
    frame: aMailFrame(),
    retriesUnknown: given.repeatsUnknown ?? true,
    footUrl: ({ uuid, generation }, baseUrl) => `${baseUrl}/v1/unsubscribe?token=${uuid}.${generation}`,
    onError: (...fault) => void log.faults.push(fault),
  });
  return { channel, log };
}

interface Inbox {
  readonly emails: readonly { readonly subject: string; readonly destination: { readonly to: readonly string[] } }[];
}

describe('the email sender', () => {
  it('the email sender waits for one turn and sends one email to one address', async () => {
    const { channel, log } = aSender({ mailer: mailerAt(endpoint) });
    expect(await channel.deliver(message, clerk)).toEqual({ class: 'delivered' });
    const inbox = (await (await fetch(`${endpoint}/store`)).json()) as Inbox;
    expect(inbox.emails).toHaveLength(1);
    expect(inbox.emails[0]?.subject).toBe('CR');
    expect(inbox.emails[0]?.destination.to.join()).toContain('clerk@town.example');
    expect([log.turns, log.faults]).toEqual([1, []]);
  });

  it('the email sender adds an unsubscribe link and feedback tags to an email about an event', async () => {
    const { channel, log } = aSender({});
    await channel.deliver(message, clerk);
    const [raw = Buffer.alloc(0), address, marks] = log.sent[0] ?? [];
    expect(address).toBe('clerk@town.example');
    expect(marks).toEqual({
      ...{ configurationSet: 'registry-set', subscription: clerk.uuid, topic: topic.uuid },
      ...{ generation: clerk.generation, message: message.messageId, type: 'Notification' },
    });
    const { headerLines } = await readMail(raw);
    const line = headerLines.find(({ key }) => key === 'list-unsubscribe')?.line;
    const url = `https://registry.example/v1/unsubscribe?token=${clerk.uuid}.${clerk.generation}`;
    expect(line).toBe(`List-Unsubscribe: <${url}>`);
  });

  it('the email sender adds a different feedback tag and no unsubscribe link to a confirmation request', async () => {
    const { channel, log } = aSender({});
    await channel.deliver(composeMessage(aConfirmation(clerk), '', settings), clerk);
    const [raw = Buffer.alloc(0), , marks] = log.sent[0] ?? [];
    expect(marks).toMatchObject({ type: 'SubscriptionConfirmation' });
    const { headerLines } = await readMail(raw);
    expect(headerLines.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('the email sender converts an internationalised domain name to ASCII', async () => {
    const { channel, log } = aSender({});
    await channel.deliver(message, aClerk('clerk@münchen.example'));
    expect(log.sent[0]?.[1]).toBe('clerk@xn--mnchen-3ya.example');
  });

  it.each(['MessageRejected', 'InvalidParameterValue'])(
    'the email sender reports a failed attempt for the SES error %s and does not resend the email',
    async (name) => {
      const { channel, log } = aSender({ responses: [name] });
      expect(await channel.deliver(message, clerk)).toEqual({ class: 'email' });
      expect([log.sent.length, log.holds]).toEqual([1, []]);
      const ids = { messageId: message.messageId, subscription: clerk.uuid };
      expect(log.faults).toEqual([[expect.objectContaining({ name }), ids, false]]);
    },
  );

  it.each(['MailFromDomainNotVerifiedException', 'AccountSendingPausedException', 'AccessDenied', 'Error'])(
    'the email sender postpones the email and reports the internal error %s',
    async (name) => {
      const { channel, log } = aSender({ responses: [name] });
      expect(await channel.deliver(message, clerk)).toEqual({
        class: 'email',
        isPostponed: true,
        retryAfterSeconds: 60,
      });
      const ids = { messageId: message.messageId, subscription: clerk.uuid };
      expect(log.faults).toEqual([[expect.objectContaining({ name }), ids, true]]);
    },
  );

  it.each(['Throttling', 'ThrottlingException', 'TooManyRequestsException', 'ServiceUnavailable'])(
    'after the SES error %s, the email sender delays all emails and then resends the email',
    async (name) => {
      const { channel, log } = aSender({ responses: [name, name] });
      expect(await channel.deliver(message, clerk)).toEqual({ class: 'delivered' });
      expect(log.holds).toEqual([1000, 2000]);
      expect([log.sent.length, log.turns, log.faults]).toEqual([3, 3, []]);
    },
  );

  it('the email sender postpones the email and reports the error if SES continues to throttle requests', async () => {
    const { channel, log } = aSender({ responses: ['Throttling', 'Throttling', 'Throttling', 'Throttling'] });
    expect(await channel.deliver(message, clerk)).toEqual({ class: 'email', isPostponed: true, retryAfterSeconds: 60 });
    expect([log.sent.length, log.holds, log.faults.length]).toEqual([4, [1000, 2000, 4000], 1]);
  });

  it('the email sender calls SES only once every 15 minutes while the daily quota is exhausted', async () => {
    const spent = { name: 'Throttling', message: 'Daily message quota exceeded.' };
    let now = noon;
    const { channel, log } = aSender({ responses: [spent, spent], now: () => now });
    const noQuota = { class: 'email', isPostponed: true, retryAfterSeconds: 900 };
    for (let mails = 0; mails < 5; mails += 1) expect(await channel.deliver(message, clerk)).toEqual(noQuota);
    expect([log.sent.length, log.holds]).toEqual([1, []]);
    now += 899_999;
    expect(await channel.deliver(message, clerk)).toEqual(noQuota);
    expect(log.sent).toHaveLength(1);
    now += 1;
    expect(await channel.deliver(message, clerk)).toEqual(noQuota);
    expect(await channel.deliver(message, clerk)).toEqual(noQuota);
    expect(log.sent).toHaveLength(2);
    now += 900_000;
    expect(await channel.deliver(message, clerk)).toEqual({ class: 'delivered' });
    expect(await channel.deliver(message, clerk)).toEqual({ class: 'delivered' });
  });

  it.each([
    ['to be retried', true],
    ['not to be retried', false],
  ])(
    'if the response from SES was lost, the email sender marks the email as %s, depending on the setting',
    async (_what, repeatsUnknown) => {
      const lost = { name: 'TimeoutError', code: 'ECONNRESET', message: 'socket hang up' };
      const { channel, log } = aSender({ responses: [lost], repeatsUnknown });
      expect(await channel.deliver(message, clerk)).toEqual({ class: 'unknown', isLeft: !repeatsUnknown });
      expect([log.sent.length, log.faults.length]).toEqual([1, 1]);
    },
  );

  it('the email sender postpones an email if the pacer does not give it a turn', async () => {
    const { channel, log } = aSender({ turns: 0 });
    expect(await channel.deliver(message, clerk)).toEqual({ class: 'email', isPostponed: true, retryAfterSeconds: 60 });
    expect([log.sent, log.faults]).toEqual([[], []]);
  });

  it('the email sender treats an unreachable SES as an internal error', async () => {
    const { channel, log } = aSender({ mailer: mailerAt('http://127.0.0.1:1') });
    expect(await channel.deliver(message, clerk)).toMatchObject({ class: 'email', isPostponed: true });
    expect(log.faults).toMatchObject([[{}, {}, true]]);
  });
});
