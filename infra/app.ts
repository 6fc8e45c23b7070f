import { synthesize } from './build/synthesize.ts';
import { noticesOf } from './settings/check-settings.ts';
import { SettingError } from './settings/settings.ts';

// The CDK command line prints this line, and nothing of its own until the end.
console.error('synthesizing the stacks ...');
try {
  const { settings } = await synthesize();
  for (const notice of noticesOf(settings)) console.error(notice);
} catch (error) {
  // A wrong setting needs one line; our own errors need the stack trace.
  console.error(error instanceof SettingError ? error.message : error);
  process.exitCode = 1;
}
