import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupSelection, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { accept } from './accepted-rules.ts';
import type { Documents } from './documents.ts';
import type { Tables } from './tables.ts';

/**
 * The number of days until a lock in `compliance` mode becomes final. 3 is the minimum: "ChangeableForDays" in
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/API_PutBackupVaultLockConfiguration.html
 */
const graceDays = 3;

interface BackupProps {
  readonly tables: Tables;
  readonly documents: Documents;
  readonly days: number;
  readonly mode: 'governance' | 'compliance';
  /** The ARN of the vault to which each backup is copied; empty if backups are not copied. */
  readonly copyVaultArn: string;
  readonly key: IKey | undefined;
}

// "AWS managed policies for AWS Backup":
// https://docs.aws.amazon.com/aws-backup/latest/devguide/security-iam-awsmanpol.html. Both managed policies also allow
// decryption, but only through DynamoDB and S3.
const policies = ['service-role/AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForS3Backup'];

/**
 * The daily backups of every table and of the documents, in a locked vault. The lock prevents backups from being
 * deleted before their retention period ends: https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html
 */
export class Backup extends Construct {
  constructor(scope: Construct, id: string, { tables, documents, days, mode, copyVaultArn, key }: BackupProps) {
    super(scope, id);
    const deleteAfter = Duration.days(days);
    const vault = new BackupVault(this, 'vault', {
      ...(key && { encryptionKey: key }),
      lockConfiguration: {
        minRetention: deleteAfter,
        ...(mode === 'compliance' && { changeableFor: Duration.days(graceDays) }),
      },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const copies =
      copyVaultArn === ''
        ? []
        : [{ destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'copy', copyVaultArn) }];
    const plan = new BackupPlan(this, 'plan', {
      backupPlanName: Stack.of(this).stackName,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'daily',
          backupVault: vault,
          scheduleExpression: Schedule.cron({ hour: '1', minute: '0' }),
          deleteAfter,
          copyActions: copies.map((copy) => ({ ...copy, deleteAfter })),
        }),
      ],
    });
    const role = new Role(this, 'role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
    accept(role, 'backupRole');
    const arns = [...Object.values(tables.byName).map((table) => table.tableArn), documents.byName.documents.bucketArn];
    new BackupSelection(this, 'selection', {
      ...{ backupPlan: plan, role, disableDefaultBackupPolicy: true },
      resources: arns.map((arn) => BackupResource.fromArn(arn)),
    });
  }
}
