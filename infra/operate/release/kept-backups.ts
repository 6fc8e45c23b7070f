/** Protections that are turned on, forever or for a number of days. */
type Protections = Readonly<Record<string, true | number>>;

interface Lifecycle {
  readonly DeleteAfterDays?: number;
}

interface PlanProperties {
  readonly BackupPlan?: {
    readonly BackupPlanRule?: readonly {
      readonly RuleName?: string;
      readonly Lifecycle?: Lifecycle;
      readonly CopyActions?: readonly {
        readonly DestinationBackupVaultArn?: unknown;
        readonly Lifecycle?: Lifecycle;
      }[];
    }[];
  };
}

interface SelectionProperties {
  readonly BackupSelection?: { readonly Resources?: readonly unknown[] };
}

interface VaultProperties {
  readonly LockConfiguration?: { readonly MinRetentionDays: number; readonly ChangeableForDays?: number };
}

/** Returns the logical id of a resource whose ARN is an intrinsic function, or else the ARN. */
function nameOf(arn: unknown): string {
  if (typeof arn === 'string') return arn;
  const [id] = (arn as { readonly 'Fn::GetAtt'?: readonly string[] } | undefined)?.['Fn::GetAtt'] ?? [];
  return id ?? JSON.stringify(arn);
}

// AWS Backup keeps a backup forever if its lifecycle has no end ("Lifecycle", AWS Backup API Reference).
const daysOf = (lifecycle: Lifecycle | undefined): true | number => lifecycle?.DeleteAfterDays ?? true;

/** Returns each rule and each copy of a backup plan, with the number of days for which the backups are kept. */
export const protectionsOfPlan = ({ BackupPlan }: PlanProperties): Protections =>
  Object.fromEntries(
    (BackupPlan?.BackupPlanRule ?? []).flatMap(({ RuleName, Lifecycle: its, CopyActions = [] }) => [
      [`the backup rule ${RuleName}`, daysOf(its)] as const,
      ...CopyActions.map(({ DestinationBackupVaultArn: vault, Lifecycle: copied }) => {
        return [`the copy of the backup rule ${RuleName} to ${nameOf(vault)}`, daysOf(copied)] as const;
      }),
    ]),
  );

/** Returns the backed-up resources. */
export const protectionsOfSelection = ({ BackupSelection }: SelectionProperties): Protections =>
  Object.fromEntries((BackupSelection?.Resources ?? []).map((arn) => [`the backup of ${nameOf(arn)}`, true] as const));

export function protectionsOfVault({ LockConfiguration: lock }: VaultProperties): Protections {
  if (lock === undefined) return {};
  const isFinal = lock.ChangeableForDays !== undefined;
  return {
    'the lock of backups': lock.MinRetentionDays,
    ...(isFinal && { 'the lock mode COMPLIANCE': true as const }),
  };
}
