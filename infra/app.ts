import { synthesize } from './build/synthesize.ts';
import { noticesOf } from './settings/check-settings.ts';
import { SettingError } from './settings/settings.ts';

// Without this message, the CDK command line prints nothing until synthesis ends.
console.error('synthesizing the stacks ...');
try {
  const { settings } = await synthesize();
  for (const notice of noticesOf(settings)) console.error(notice);
} catch (error) {
  // For a SettingError, prints only the message. For any other error, also prints the stack trace.
  console.error(error instanceof SettingError ? error.message : error);
  process.exitCode = 1;
}
