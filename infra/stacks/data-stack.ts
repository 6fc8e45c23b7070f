import { Stack, type StackProps } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { type BucketName, bucketQueues } from '../../shared/contract/buckets.ts';
import { Backup } from '../constructs/backup.ts';
import { BucketNotifications } from '../constructs/bucket-notifications.ts';
import { Documents } from '../constructs/documents.ts';
import { createKey, keyOf } from '../constructs/encryption.ts';
import { Queues } from '../constructs/queues.ts';
import { Secrets } from '../constructs/secrets.ts';
import { Tables } from '../constructs/tables.ts';
import { workerTimes } from '../constructs/worker-times.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

interface DataStackProps extends StackProps {
  readonly settings: DeploymentSettings;
}

type Buckets = Documents['byName'];

/**
 * The stack with all permanent data: tables, buckets and secrets. The stack also contains the queues to which S3 sends
 * notifications, because the buckets depend on these queues.
 */
export class DataStack extends Stack {
  readonly tables: Tables;
  readonly queues: Queues;
  readonly secrets: Secrets;
  /** The ARN of the key that encrypts the data; empty if AWS encrypts the data with its own keys. */
  readonly keyArn: string;
  /** The buckets whose names and ARNs other stacks import. */
  readonly documents: { readonly byName: Buckets };

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, props);
    const restored = settingValue(settings, 'restored');
    this.keyArn = createKey(this, settings.keyArn);
    const key = keyOf(this, this.keyArn);
    this.tables = new Tables(this, 'tables', {
      warmWritesPerSecond: settingValue(settings, 'warmWritesPerSecond'),
      isProtected: props.terminationProtection === true,
      nameOf: (table) => restored[table] ?? '',
      key,
    });
    this.queues = new Queues(this, 'queues', {
      names: bucketQueues,
      visibilitySeconds: (queue) => workerTimes(queue, settings).visibilitySeconds,
      key,
    });
    this.secrets = new Secrets(this, 'secrets', { arnOf: (secret) => restored[secret] ?? '', key });
    const documents = new Documents(this, 'buckets', {
      deliveryDays: settingValue(settings, 'deliveryDays'),
      versionDays: settingValue(settings, 'documentVersionDays') || undefined,
      importDays: settingValue(settings, 'importDays'),
      lock: {
        days: settingValue(settings, 'journalLockDays'),
        mode: settingValue(settings, 'journalLockMode'),
      },
      nameOf: (bucket) => restored[bucket] ?? '',
      tieringDays: settingValue(settings, 'documentTieringDays'),
      key,
    });
    const backupDays = settingValue(settings, 'backupDays');
    new BucketNotifications(this, 'notifications', { documents, queues: this.queues, isBackedUp: backupDays !== '' });
    if (backupDays !== '')
      new Backup(this, 'backup', {
        ...{ tables: this.tables, documents, key },
        days: backupDays,
        mode: settingValue(settings, 'backupLockMode'),
        copyVaultArn: settings.backupCopyVaultArn,
      });
    const { byName } = documents;
    this.documents = {
      byName: {
        documents: this.exported(byName, 'documents'),
        exportedJournal: this.exported(byName, 'exportedJournal'),
      },
    };
  }

  /** Exports the name and ARN of the bucket early, because cdk-nag identifies permissions by the export's name. */
  private exported(buckets: Buckets, name: BucketName): Buckets[BucketName] {
    const bucket = buckets[name];
    if (!(bucket instanceof Bucket)) return bucket;
    return { bucketName: this.exportValue(bucket.bucketName), bucketArn: this.exportValue(bucket.bucketArn) };
  }
}
