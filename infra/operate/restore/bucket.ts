import { Readable } from 'node:stream';
import {
  GetBucketNotificationConfigurationCommand,
  HeadBucketCommand,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3';
import { buckets } from '../../../shared/contract/buckets.ts';
import { indexDocuments } from '../../../shared/contract/jobs.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { settingValue } from '../../settings/settings.ts';
import { OptionError } from '../command-line.ts';
import { textOf } from '../deploy/place.ts';
import { bucketSettings } from './bucket-settings.ts';
import { type DeployedStage, unlessMissing } from './deployed-stage.ts';
import { runJob } from './functions-of-table.ts';
import { arnOf } from './intrinsics.ts';
import { type LostObject, lostObjects, restoreObject } from './object-versions.ts';
import type { RestoreOptions } from './options.ts';
import type { Plan, Step } from './steps.ts';
import { missingSettings, setMissing } from './store-setting.ts';
import { policySteps, switchStep } from './switch.ts';
import { momentText } from './table-source.ts';

// Objects with other prefixes are not restored, because documents can be converted again, and because restored import
// files would be imported again.
const restoredPrefixes = [buckets.documents.documents, buckets.documents.messages];

// Copying ten million objects one at a time would take days.
const copiesAtOnce = 50;

const named = 'a lost bucket needs a restored copy: name it with --use (infra/runbook/restore.md#a-bucket)';

/** Returns the steps that restore old versions of objects in an existing bucket. */
async function versionsPlan(stage: DeployedStage, bucket: string, to: Date): Promise<Plan> {
  const { clients, settings, place } = stage;
  const kept = Number(settingValue(settings, 'documentVersionDays') || 0);
  const now = Date.now();
  if (to.getTime() > now || (kept > 0 && to.getTime() < now - kept * dayMs))
    throw new OptionError(
      `--to ${momentText(to)}: must be in the past${kept > 0 ? `, within the ${kept} days for which ${bucket} keeps old versions` : ''}`,
    );
  // Lists the objects twice, once to count them and once to restore them, because a list of all documents in a country
  // would not fit in memory.
  async function* lost(): AsyncGenerator<LostObject> {
    for (const prefix of restoredPrefixes) yield* lostObjects(clients.s3, bucket, prefix, to);
  }
  let [deleted, overwritten] = [0, 0];
  for await (const { isDeleted } of lost()) {
    if (isDeleted) deleted += 1;
    else overwritten += 1;
  }
  const restore: Step = {
    does: `restore ${deleted} deleted and ${overwritten} overwritten objects below ${restoredPrefixes.join(' and ')}`,
    isDone: async () => deleted + overwritten === 0,
    async run() {
      const copy = async (object: LostObject) => restoreObject(clients.s3, bucket, object);
      await Readable.from(lost()).forEach(copy, { concurrency: copiesAtOnce });
    },
  };
  return {
    title: `Restore the objects of ${bucket} to ${momentText(to)} (${textOf(place)})`,
    steps: [restore],
    notes: ['Newer objects do not change. Documents of deleted persons have no versions, so they remain deleted.'],
  };
}

/**
 * Returns the step that turns on S3 notifications. The stack configures notifications only for buckets that it created.
 */
function notificationStep({ clients, dataOutput }: DeployedStage, store: string, Bucket: string): Step {
  const wanted = async () => JSON.parse((await dataOutput(`${store}Notifications`)) ?? '{}');
  return {
    does: 'set its notifications',
    async isDone() {
      const found = await unlessMissing(clients.s3.send(new GetBucketNotificationConfigurationCommand({ Bucket })));
      const { QueueConfigurations = [] } = await wanted();
      return QueueConfigurations.length > 0 && found?.QueueConfigurations?.length === QueueConfigurations.length;
    },
    async run() {
      const NotificationConfiguration = await wanted();
      await clients.s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
    },
  };
}

/** Returns the steps that make the service use a bucket that the operator restored. */
async function replacementPlan(stage: DeployedStage, store: string, bucket: string): Promise<Plan> {
  const { clients, settings, place, shapes } = stage;
  const { s3 } = clients;
  const shape = shapes.get(store);
  if (shape === undefined || (await unlessMissing(s3.send(new HeadBucketCommand({ Bucket: bucket })))) === undefined)
    throw new OptionError(`--use: no bucket has the name ${bucket}`);
  const addresses = await stage.addresses(stage.data);
  // The bucket policy in the template contains the ARN of a bucket that the stack would create, so this ARN is
  // replaced.
  const arns = new Map([...addresses.arns, [shape.logicalId, arnOf('AWS::S3::Bucket', bucket, place) ?? '']]);
  const ofBucket = bucketSettings(s3, bucket, shape, { ...addresses, arns });
  const inUse = await stage.output(`${store}Bucket`);
  const isSwitched = async () => (await stage.output(`${store}Bucket`)) === bucket;
  const configure: Step = {
    does: `set its ${ofBucket.map(({ what }) => what).join(', ')}`,
    isDone: async () => (await missingSettings(ofBucket)).length === 0,
    run: () => setMissing(ofBucket),
  };
  const check: Step = {
    does: `check the settings of ${bucket}`,
    isDone: isSwitched,
    async run() {
      const missing = await missingSettings(ofBucket);
      if (missing.length === 0) return;
      throw new Error(`${bucket} cannot be used: it lacks ${missing.map(({ what }) => what).join(', ')}`);
    },
  };
  const isDeployed = stage.functions !== undefined;
  const index: Step = {
    does: `run ${indexDocuments.job}, which links the documents that were written earlier`,
    isDone: async () => false,
    run: () => runJob(stage, indexDocuments),
  };
  const ofNotifications = isDeployed && store === 'documents' ? [notificationStep(stage, store, bucket), index] : [];
  return {
    title: `Use the bucket ${bucket} as ${store} of ${settings.stage} (${textOf(place)})`,
    steps: [
      ...[configure, check, switchStep(stage, store, bucket, `${store}Bucket`)],
      ...[...policySteps(stage), ...ofNotifications],
    ],
    notes: [
      ...(inUse === undefined || inUse === bucket ? [] : [`The old bucket ${inUse} is not deleted.`]),
      `The stack no longer manages ${bucket}: run this command again after a deployment that changes its settings.`,
    ],
  };
}

export async function bucketPlan(stage: DeployedStage, { store, to, use }: RestoreOptions): Promise<Plan> {
  if (use !== undefined) return replacementPlan(stage, store, use);
  const inUse = await stage.output(`${store}Bucket`);
  const found = inUse && (await unlessMissing(stage.clients.s3.send(new HeadBucketCommand({ Bucket: inUse }))));
  if (inUse === undefined || found === undefined) throw new OptionError(`${store}: ${named}`);
  return versionsPlan(stage, inUse, to as Date);
}
