import { randomUUID } from 'node:crypto';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import type { Content } from '../../shared/domain/deliveries/message.ts';

/** The email that the feedback is about, and the time at which it was sent (RFC 3339; default: now). */
interface Own {
  readonly generation?: string;
  readonly message?: string;
  readonly type?: Content['type'];
  readonly timestamp?: string;
}

const anEvent = (eventType: string, subscription: string, topic: string, own: Own = {}) => ({
  eventType,
  mail: {
    timestamp: own.timestamp ?? new Date().toISOString(),
    source: 'registry@example.org',
    sendingAccountId: '000000000000',
    messageId: '0100019a-7c1b-8a4e-9c55-0f3a5d2b7e61-000000',
    destination: ['clerk-4711@example.org'],
    headersTruncated: false,
    headers: [
      { name: 'From', value: 'registry@example.org' },
      { name: 'To', value: 'clerk-4711@example.org' },
      { name: 'List-Unsubscribe', value: '<https://registry.example/v1/unsubscribe?token=secret-4711>' },
    ],
    commonHeaders: { from: ['registry@example.org'], to: ['clerk-4711@example.org'], subject: 'CR: liveBirth' },
    tags: {
      'ses:operation': ['SendRawEmail'],
      'ses:configuration-set': [namesOf('dev').configurationSet],
      'ses:from-domain': ['example.org'],
      subscription: [subscription],
      topic: [topic],
      generation: [own.generation ?? randomUUID()],
      message: [own.message ?? randomUUID()],
      type: [own.type ?? 'Notification'],
    },
  },
});

/** A bounce in the SES event publishing format, as SNS delivers it to the queue. */
export const aBounce = (
  bounceType = 'Permanent',
  subscription: string = randomUUID(),
  topic: string = randomUUID(),
  own: Own = {},
) => ({
  ...anEvent('Bounce', subscription, topic, own),
  bounce: {
    feedbackId: '0100019a-bounce',
    bounceType,
    bounceSubType: 'General',
    bouncedRecipients: [
      { emailAddress: 'clerk-4711@example.org', action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1' },
    ],
    timestamp: '2026-11-20T12:00:01.000Z',
    reportingMTA: 'dsn; a8-70.smtp-out.amazonses.com',
  },
});

/** A complaint. Some mailbox providers do not report the type of a complaint. */
export const aComplaint = (
  kind: string | undefined,
  subscription: string = randomUUID(),
  topic: string = randomUUID(),
  own: Own = {},
) => ({
  ...anEvent('Complaint', subscription, topic, own),
  complaint: {
    complainedRecipients: [{ emailAddress: 'clerk-4711@example.org' }],
    timestamp: '2026-11-20T12:00:01.000Z',
    feedbackId: '0100019a-complaint',
    complaintSubType: null,
    ...(kind === undefined ? {} : { complaintFeedbackType: kind, userAgent: 'ExampleCorp Feedback Loop (V0.01)' }),
  },
});

/** A reject event, which SES sends if it finds a virus in an email that it has accepted. */
export const aReject = (subscription: string = randomUUID(), topic: string = randomUUID()) => ({
  ...anEvent('Reject', subscription, topic),
  reject: { reason: 'Bad content' },
});
