import { PutSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, expect, test } from 'vitest';
import { leavesNoFaults } from '../harness/no-internal-errors.ts';
import { openOwnWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

const { stack, world } = await openOwnWorld();
leavesNoFaults(world);

const ses = new SESv2Client({
  endpoint: world.outputs.sesv2Endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' },
});
afterAll(() => ses.destroy());

test('an operator takes an address off the suppression list, by one call with the grant of the job', async () => {
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
