import { synthesize } from './build/synthesize.ts';
import { noticesOf } from './settings/check-settings.ts';
import { SettingError } from './settings/setting-error.ts';

// The CDK command line passes it on, and says nothing itself until the end.
console.error('synthesizing the stacks ...');
try {
  const { settings } = await synthesize();
  for (const notice of noticesOf(settings)) console.error(notice);
} catch (error) {
  // What is wrong with a setting is said in one line; where the fault is ours, the trace tells.
  console.error(error instanceof SettingError ? error.message : error);
  process.exitCode = 1;
}
