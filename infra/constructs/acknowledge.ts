import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** States, for findings of the rule packs (cdk-nag), why a construct and its children are right as they are. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}
