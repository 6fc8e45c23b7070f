import type { ServiceStack } from './service-stack.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/** What the alarms and the dashboard are about. */
export interface Watched {
  readonly stage: string;
  readonly settings: DeploymentSettings;
  readonly service: ServiceStack;
}
