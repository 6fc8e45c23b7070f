import { emptyOr, emptyOrInteger, integer, lockMode, numberOf } from '../../shared/contract/setting-schemas.ts';
import type { Setting } from '../../shared/contract/settings.ts';

// Source: "PutRetentionPolicy" in the CloudWatch Logs API Reference.
const retentionDays: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** The settings that determine how long data is kept and how it is protected. */
export const retention = {
  logRetentionDays: {
    schema: () => numberOf(retentionDays),
    default: '365',
    meaning:
      'number of days for which logs are kept, including the access log; CloudWatch accepts only certain numbers',
  },
  documentVersionDays: {
    schema: emptyOrInteger(1, 36_500),
    default: '',
    meaning:
      'number of days for which old versions of replaced or deleted documents are kept; if empty, they are kept forever and can always be restored',
  },
  journalLockDays: {
    schema: () => integer(1, 36_500),
    default: '400',
    meaning:
      'number of days for which the exported journal is kept and locked (`journalLockMode`); a higher number applies only to later exports',
  },
  // "Locking objects with Object Lock": https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
  journalLockMode: {
    schema: lockMode,
    default: 'governance',
    meaning:
      'who may delete the exported journal early. `governance`: callers with the permission `s3:BypassGovernanceRetention`; `compliance`: no one. You pay for the storage of files that were exported in `compliance` mode until `journalLockDays` have passed or the account is closed',
  },
  documentTieringDays: {
    schema: emptyOrInteger(0, 36_500),
    default: '',
    meaning:
      'number of days after which a document moves to S3 Intelligent-Tiering, which is cheaper for rarely read documents; if empty, documents never move',
  },
  backupDays: {
    schema: emptyOrInteger(1, 36_500),
    default: '',
    meaning:
      'number of days for which AWS Backup keeps each daily backup of the tables and documents, and for which the vault locks it; if empty, there is no backup plan',
  },
  backupLockMode: {
    schema: lockMode,
    default: 'governance',
    meaning:
      'who may delete backups early. `governance`: administrators of AWS Backup, after they remove the lock; `compliance`: from 3 days after the deployment, no one, not even the root user or AWS. The vault can then never be unlocked',
  },
  backupCopyVaultArn: {
    schema: emptyOr(
      /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
      'must be the ARN of a backup vault',
    ),
    default: '',
    meaning:
      "vault to which each backup is copied, usually in another account of the organization; the vault's access policy must allow `backup:CopyIntoBackupVault`",
  },
} as const satisfies Readonly<Record<string, Setting>>;
