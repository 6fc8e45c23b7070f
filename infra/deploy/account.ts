import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';

/**
 * What the account lacks of what a stage counts on, in a line; undefined where it fits.
 * @param concurrency the stage's setting: functions that the account runs at once
 */
export async function lackOf(concurrency: number): Promise<string | undefined> {
  try {
    const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
    const quota = AccountLimit?.ConcurrentExecutions ?? 0;
    if (quota >= concurrency) return undefined;
    return `the account runs ${quota} functions at once, the stage counts on ${concurrency}: have the quota raised, or its setting concurrency lowered`;
  } catch (error) {
    // Who may deploy need not be allowed to ask this.
    return `nobody knows whether the account runs ${concurrency} functions at once (lambda:GetAccountSettings): ${(error as Error).name}`;
  }
}
