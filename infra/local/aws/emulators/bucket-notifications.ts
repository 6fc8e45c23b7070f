import { randomUUID } from 'node:crypto';
import type { FauxqsServer } from 'fauxqs';
import { account, region } from '../template/identifiers.ts';
import { matchesPattern } from '../template/policy.ts';
import type { Stack } from '../template/stack.ts';

export interface ObjectEvent {
  readonly bucket: string;
  readonly key: string;
  /** The event name in S3 event records, such as `ObjectCreated:Put`. */
  readonly eventName: string;
}

interface CompletedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly status: number;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const textOf = (xml: string): string =>
  xml.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '');

// The stack's buckets are versioned, so deleting an object creates a delete marker.
const deleted = 'ObjectRemoved:DeleteMarkerCreated';

/** Returns the object events that a successful S3 request causes. */
export function objectEvents({ method, url, headers, body, status }: CompletedRequest): ObjectEvent[] {
  if (status < 200 || status > 299) return [];
  const { pathname, searchParams } = new URL(url, 'http://local');
  const [bucket = '', ...rest] = pathname.slice(1).split('/');
  const key = decodeURIComponent(rest.join('/'));
  if (bucket === '' || bucket === account) return [];
  if (method === 'POST' && searchParams.has('delete')) {
    const keys = [...String(body).matchAll(/<Key>([\s\S]*?)<\/Key>/g)].map(([, text = '']) => textOf(text));
    return keys.map((one) => ({ bucket, key: one, eventName: deleted }));
  }
  const isPart = searchParams.has('partNumber');
  const eventName = {
    PUT: isPart ? undefined : `ObjectCreated:${headers['x-amz-copy-source'] === undefined ? 'Put' : 'Copy'}`,
    POST: searchParams.has('uploadId') ? 'ObjectCreated:CompleteMultipartUpload' : undefined,
    DELETE: searchParams.has('uploadId') ? undefined : deleted,
  }[method];
  return key === '' || eventName === undefined ? [] : [{ bucket, key, eventName }];
}

interface QueueConfiguration {
  Event: string;
  Queue: string;
  Filter?: { S3Key: { Rules: { Name: string; Value: string }[] } };
}

interface BucketProperties {
  NotificationConfiguration?: { QueueConfigurations?: QueueConfiguration[] };
}

function isMatch({ Event, Filter }: QueueConfiguration, { key, eventName }: ObjectEvent): boolean {
  const rules = Filter?.S3Key.Rules ?? [];
  const matchesRule = ({ Name, Value }: { Name: string; Value: string }) =>
    Name.toLowerCase() === 'prefix' ? key.startsWith(Value) : key.endsWith(Value);
  return matchesPattern(Event, `s3:${eventName}`) && rules.every(matchesRule);
}

// In events, S3 encodes object keys as in HTML forms: a space becomes `+`.
const encodeKey = (key: string): string => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');

let eventCount = 0;

/**
 * Returns an S3 event ("Event message structure", Amazon S3 User Guide), except the fields whose values only AWS knows.
 */
function messageOf({ bucket, key, eventName }: ObjectEvent): string {
  eventCount += 1;
  const sequencer = eventCount.toString(16).toUpperCase().padStart(16, '0');
  const s3 = {
    s3SchemaVersion: '1.0',
    bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
    object: { key: encodeKey(key), sequencer },
  };
  const eventTime = new Date().toISOString();
  return JSON.stringify({
    Records: [{ eventVersion: '2.1', eventSource: 'aws:s3', awsRegion: region, eventTime, eventName, s3 }],
  });
}

const testMessageOf = (bucket: string): string =>
  JSON.stringify({
    ...{ Service: 'Amazon S3', Event: 's3:TestEvent', Time: new Date().toISOString() },
    ...{ Bucket: bucket, RequestId: randomUUID(), HostId: randomUUID() },
  });

/** Sends a test message to each queue, as S3 does. Returns a function that sends an object event to the queues. */
export function createBucketNotifier(stack: Stack, fauxqs: FauxqsServer): (event: ObjectEvent) => void {
  const configurations = stack.ofType('AWS::S3::Bucket').flatMap((resource) => {
    const { NotificationConfiguration } = stack.properties<BucketProperties>(resource);
    const bucket = stack.nameOf(resource);
    return (NotificationConfiguration?.QueueConfigurations ?? []).map((one) => ({ ...one, bucket }));
  });
  const send = (queueArn: string, message: string) =>
    fauxqs.sendMessage(queueArn.split(':').at(-1) ?? '', message, { region });
  for (const { Queue, bucket } of configurations) send(Queue, testMessageOf(bucket));
  return (event) => {
    for (const one of configurations) {
      if (one.bucket === event.bucket && isMatch(one, event)) send(one.Queue, messageOf(event));
    }
  };
}
