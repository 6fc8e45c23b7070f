import { describe, expect, test } from 'vitest';
import { noticesOf } from '../../../infra/settings/check-settings.ts';
import { readStage } from '../../../infra/settings/read-stage.ts';
import { leastConcurrency } from '../../../shared/contract/concurrency.ts';

test('where no stage is named it is dev, whose placeholders are right for trying out', async () => {
  expect(await readStage({})).toMatchObject({
    stage: 'dev',
    production: 'false',
    oidcIssuer: 'https://issuer.example.org',
  });
});

test('a stage has what its file says, and what the context says over it', async () => {
  const values = await readStage({ stage: 'prod', emailsPerSecond: 20 });
  expect(values).toMatchObject({ stage: 'prod', production: 'true', emailsPerSecond: '20', uinLength: '12' });
  expect(values.oidcIssuer).toMatch(/^https:.*\.example$/);
});

test('what CDK itself gives is no setting', async () => {
  await readStage({ '@aws-cdk/core:newStyleStackSynthesis': true, 'aws:cdk:enable-path-metadata': true });
});

test('a stage whose alarms tell nobody is told of, in one line; in production it must be meant', async () => {
  expect(noticesOf(await readStage({}))).toEqual([
    'the alarms of stage dev tell nobody: the settings alarmTopicArn and alarmEmail say whom to tell',
  ]);
  expect(noticesOf(await readStage({ stage: 'prod' }))).toEqual([]);
  expect(noticesOf(await readStage({ stage: 'prod', alarmEmail: '', alarmTopicArn: 'none' }))).toEqual([]);
});

describe('one line says what is wrong', () => {
  test.each([
    [{ ledgerDay: '7' }, 'there is no setting ledgerDay (context): infra/README.md lists them'],
    [{ uinlength: '14' }, 'there is no setting uinlength (context): did you mean uinLength?'],
    [{ deliveryFromat: 'raw' }, 'there is no setting deliveryFromat (context): did you mean deliveryFormat?'],
    [{ stage: 'prd' }, 'there is no stage prd (dev, prod, test): infra/stages/prd.ts would be its file'],
    [{ stage: '../../faults' }, /^there is no stage /],
    [
      { stage: 'prod', emailSender: 'registry@example.org' },
      'setting emailSender of stage prod is still the placeholder registry@example.org',
    ],
    [
      { stage: 'prod', oidcIssuer: 'http://login.government.example' },
      'setting oidcIssuer of stage prod must be an https address',
    ],
    [{ allowedNetworks: '10.0.0.0/8' }, /^setting allowedNetworks needs a VPC/],
    [{ allowedNetworks: '10.0.0.0/8', vpc: 'make' }, /^setting allowedNetworks needs a VPC of yours/],
    [{ vpc: 'make', vpcId: 'vpc-0123456789abcdef0' }, /^settings vpc and vpcId name two networks/],
    [{ vpcId: 'vpc-0123456789abcdef0' }, /^settings vpcId and subnetIds belong together/],
    [{ domainName: 'registry.government.example' }, /^settings domainName and certificateArn belong together/],
    [{ domainOnly: true }, /^setting domainOnly needs a domain/],
    [{ stage: 'prod', identityProvider: 'cognito' }, /^setting oidcIssuer names an issuer beside identityProvider/],
    [{ trustedNetworks: '0.0.0.0/0' }, /^setting trustedNetworks \(/],
    [{ machineScopes: 'notif.all' }, /^setting machineScopes \(/],
    [{ concurrency: 10 }, new RegExp(`^setting concurrency: .* ${leastConcurrency} is the least`)],
    [{ stage: 'prod', uinLength: 7 }, /^setting uinLength \(/],
    ...['change', 'id', 'source', 'publish', 'keep', 'duplicates', 'attributes'].map(
      (name): [Record<string, string>, RegExp] => [
        { extraAttributes: `tribe, ${name}` },
        new RegExp(`^setting extraAttributes: ${name} is a column of imports`),
      ],
    ),
    [
      { stage: 'prod', alarmEmail: '' },
      'stage prod has alarms that nobody hears: give alarmTopicArn or alarmEmail, or alarmTopicArn=none',
    ],
    ...['pager', 'arn:aws:sns:eu-west-1:111122223333:pager.fifo'].map(
      (alarmTopicArn): [Record<string, string>, RegExp] => [
        { alarmTopicArn },
        /^setting alarmTopicArn \(.*\): must be the ARN of a standard SNS topic \(a FIFO topic takes no alarms\), or none$/,
      ],
    ),
    [{ alarmEmail: 'a@b, c@d' }, /^setting alarmEmail \(.*\): must be one mailbox address$/],
  ])('%j', async (context, message) => {
    await expect(readStage(context)).rejects.toThrow(message);
    const said = await readStage(context).then(String, ({ message }: Error) => message);
    expect(said).not.toContain('\n');
  });
});

test('networks beside the Internet may be allowed within a VPC that has routes to them', async () => {
  const allowedNetworks = '10.0.0.0/8';
  const vpcId = 'vpc-0123456789abcdef0';
  const subnetIds = 'subnet-0123456789abcdef0,subnet-0123456789abcdef1';
  const values = await readStage({ allowedNetworks, vpcId, subnetIds });
  expect(values).toMatchObject({ allowedNetworks });
});

test('it is said where the share is too small to keep copies for minting', async () => {
  const told = (concurrency: number) => readStage({ stage: 'prod', concurrency }).then(noticesOf);
  expect(await told(1000)).toEqual([]);
  expect(await told(100)).toEqual([expect.stringMatching(/^no copies are kept for generateUin/)]);
});
