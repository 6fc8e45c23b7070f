import { reservedCopies } from '../shared/contract/concurrency.ts';
import { type DeploymentSettings, settingValue } from './settings/settings.ts';

/**
 * How many copies an operation with a reserve has in this deployment. Lambda refuses a reserve, and the deployment with it, in
 * an account that is too small, as every new one is: only a production stage has asked for more.
 */
export const reserveOf = (settings: DeploymentSettings): number | undefined =>
  settingValue(settings, 'production') ? reservedCopies(settingValue(settings, 'concurrency')) : undefined;
