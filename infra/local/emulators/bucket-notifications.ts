import { randomUUID } from 'node:crypto';
import type { FauxqsServer } from 'fauxqs';
import { region } from '../aws/template/identifiers.ts';
import { matchesPattern } from '../aws/template/policy.ts';
import type { Stack } from '../aws/template/stack.ts';
import type { ObjectEvent } from './object-events.ts';

interface QueueConfiguration {
  Event: string;
  Queue: string;
  Filter?: { S3Key: { Rules: { Name: string; Value: string }[] } };
}

interface BucketProperties {
  NotificationConfiguration?: { QueueConfigurations?: QueueConfiguration[] };
}

function isMeant({ Event, Filter }: QueueConfiguration, { key, eventName }: ObjectEvent): boolean {
  const rules = Filter?.S3Key.Rules ?? [];
  const fits = ({ Name, Value }: { Name: string; Value: string }) =>
    Name.toLowerCase() === 'prefix' ? key.startsWith(Value) : key.endsWith(Value);
  return matchesPattern(Event, `s3:${eventName}`) && rules.every(fits);
}

// S3 encodes names as forms are: a space becomes `+`.
const encoded = (key: string): string => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');

let events = 0;

/** The message that S3 would send ("Event message structure" in the Amazon S3 User Guide), without what only AWS knows. */
function messageOf({ bucket, key, eventName }: ObjectEvent): string {
  events += 1;
  const sequencer = events.toString(16).toUpperCase().padStart(16, '0');
  const s3 = {
    s3SchemaVersion: '1.0',
    bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
    object: { key: encoded(key), sequencer },
  };
  const eventTime = new Date().toISOString();
  return JSON.stringify({
    Records: [{ eventVersion: '2.1', eventSource: 'aws:s3', awsRegion: region, eventTime, eventName, s3 }],
  });
}

const trialOf = (bucket: string): string =>
  JSON.stringify({
    ...{ Service: 'Amazon S3', Event: 's3:TestEvent', Time: new Date().toISOString() },
    ...{ Bucket: bucket, RequestId: randomUUID(), HostId: randomUUID() },
  });

/** Notifies queues of what happens in buckets, as the template says, and tries each of them first. */
export function notifyQueues(stack: Stack, fauxqs: FauxqsServer): (event: ObjectEvent) => void {
  const configurations = stack.ofType('AWS::S3::Bucket').flatMap((resource) => {
    const { NotificationConfiguration } = stack.properties<BucketProperties>(resource);
    const bucket = stack.nameOf(resource);
    return (NotificationConfiguration?.QueueConfigurations ?? []).map((one) => ({ ...one, bucket }));
  });
  const send = (queueArn: string, message: string) =>
    fauxqs.sendMessage(queueArn.split(':').at(-1) ?? '', message, { region });
  for (const { Queue, bucket } of configurations) send(Queue, trialOf(bucket));
  return (event) => {
    for (const one of configurations) {
      if (one.bucket === event.bucket && isMeant(one, event)) send(one.Queue, messageOf(event));
    }
  };
}
