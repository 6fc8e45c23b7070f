import { PutSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, expect, test } from 'vitest';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

const { stack, world } = await openSeparateWorld();
leavesNoErrors(world);

const ses = new SESv2Client({
  endpoint: world.outputs.sesv2Endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' },
});
afterAll(() => ses.destroy());

test('an operator removes an address from the suppression list with one call, and the job has the required permissions', async () => {
  const EmailAddress = `${uniqueName('returned')}@example.org`;
  await ses.send(new PutSuppressedDestinationCommand({ EmailAddress, Reason: 'BOUNCE' }));
  const actions: string[] = [];
  const stop = stack.onAwsCall(({ functionName, action }) => {
    if (functionName === 'unsuppress') actions.push(action);
  });
  expect(await stack.invoke('unsuppress', { address: EmailAddress })).toEqual({ unsuppressed: 1 });
  expect(await stack.invoke('unsuppress', { address: EmailAddress })).toEqual({ unsuppressed: 0 });
  stop();
  expect(actions).toEqual(Array(2).fill('ses:DeleteSuppressedDestination'));
  expect(world.logLines().filter((line) => line.includes(EmailAddress))).toEqual([]);
});
