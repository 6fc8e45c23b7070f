import type { DeploymentSettings } from './settings/settings.ts';
import type { ServiceStack } from './stacks/service-stack.ts';

/** What the alarms and the dashboard are about. */
export interface Watched {
  readonly stage: string;
  readonly settings: DeploymentSettings;
  readonly service: ServiceStack;
}
