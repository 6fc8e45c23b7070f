import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { aConfirmation, aNotification, aSubscription, aTopic } from '../../harness/builders.ts';

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const topic = aTopic({ name: 'CR' });
const base64 = (body: string | Uint8Array) => Buffer.from(body as string).toString('base64');

describe('a notification', () => {
  it('a notification has the headers from OSIA section 2.7, with a subject if the publisher provided one', () => {
    const content = aNotification(topic, { subject: 'liveBirth' });
    expect(composeMessage(content, base64('{}'), settings).headers).toEqual({
      'message-type': 'Notification',
      'message-id': content.messageId,
      'topic-id': topic.uuid,
      subject: 'liveBirth',
    });
    expect(composeMessage(aNotification(topic), base64('{}'), settings).headers).not.toHaveProperty('subject');
  });

  it('a notification preserves arbitrary bytes in the published body', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const message = composeMessage(aNotification(topic), base64(bytes), settings);
        expect(message.body.equals(bytes)).toBe(true);
      }),
    );
  });

  it.each(['application/json', 'text/plain; charset=utf-8'])(
    'a notification keeps its content type: %s',
    (contentType) => {
      expect(composeMessage(aNotification(topic, { contentType }), base64('{}'), settings).contentType).toBe(
        contentType,
      );
    },
  );

  it('a notification in the envelope format is an OSIA Message object in JSON', () => {
    const body = '\ufeffbonjour "é"';
    const content = aNotification(topic, { subject: 'death', contentType: 'text/plain; charset=utf-8' });
    const envelope = { ...settings, deliveryFormat: 'envelope' } as const;
    const message = composeMessage(content, base64(body), envelope);
    expect(message.contentType).toBe('application/json');
    expect(JSON.parse(message.body.toString())).toEqual({
      type: 'Notification',
      topic: 'CR',
      message: body,
      messageId: content.messageId,
      subject: 'death',
      timestamp: content.timestamp,
    });
    const withoutSubject = composeMessage(aNotification(topic), base64('{}'), envelope);
    expect(JSON.parse(withoutSubject.body.toString())).toMatchObject({ subject: '' });
  });

  it.each([
    ['naissance vivante', 'naissance vivante'],
    ['décès', 'd%C3%A9c%C3%A8s'],
    ['出生', '%E5%87%BA%E7%94%9F'],
    ['👶', '%F0%9F%91%B6'],
    ['100 % sure', '100 %25 sure'],
    ['a%20b', 'a%2520b'],
    ['à 9 %', '%C3%A0 9 %25'],
  ])(
    'a notification encodes the subject %s in a header as %s, so that any HTTP library can send it',
    (subject, header) => {
      const message = composeMessage(aNotification(topic, { subject }), base64('{}'), settings);
      expect(message.headers.subject).toBe(header);
      expect(() => new Headers(message.headers)).not.toThrow();
    },
  );
});

describe('a confirmation', () => {
  const subscription = aSubscription(topic, { isActive: false });
  const content = aConfirmation(subscription);
  const url = `https://registry.example/v1/subscriptions/confirm?token=${content.token}`;

  it.each(['raw', 'envelope'] as const)('has the fields of OSIA section 2.7 (%s)', (deliveryFormat) => {
    const message = composeMessage(content, '', { ...settings, deliveryFormat });
    expect(message.contentType).toBe('application/json');
    expect(JSON.parse(message.body.toString())).toEqual({
      type: 'SubscriptionConfirmation',
      token: content.token,
      topic: 'CR',
      message: expect.stringContaining('CR'),
      messageId: content.messageId,
      subject: expect.stringMatching(/\S/),
      subscribeURL: url,
      confirmURL: url,
      timestamp: content.timestamp,
    });
  });

  it('has the headers of OSIA section 2.7', () => {
    expect(composeMessage(content, '', settings).headers).toEqual({
      'message-type': 'SubscriptionConfirmation',
      'message-id': content.messageId,
      'topic-id': topic.uuid,
    });
  });

  it('a confirmation request contains a link without double slashes, even if the base URL ends with several slashes', () => {
    const message = composeMessage(content, '', { ...settings, baseUrl: 'https://registry.example//' });
    expect(JSON.parse(message.body.toString()).confirmURL).toBe(url);
    expect(message.baseUrl).toBe('https://registry.example');
  });
});
