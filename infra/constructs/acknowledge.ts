import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Says of findings of the rule packs (cdk-nag), by rule, why a construct and all in it are right as they are. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}
