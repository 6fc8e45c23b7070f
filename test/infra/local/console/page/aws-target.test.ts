import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { alarmKinds, alarmText } from '../../../../../infra/constructs/alarm-kinds/alarm-kinds.ts';
import { awsTarget } from '../../../../../infra/local/console/page/operator/target.ts';
import { queues } from '../../../../../shared/contract/queue-names.ts';
import { listenLocally, stopServer } from '../../../../harness/local-server.ts';

const stackXml = (name: string, status: string, outputs: Record<string, string>) => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const times = '<CreationTime>2026-11-20T08:00:00Z</CreationTime>';
  const described = `<StackName>${name}</StackName><StackStatus>${status}</StackStatus>${times}`;
  return `<member>${described}<Outputs>${members.join('')}</Outputs></member>`;
};
const arns = Object.keys(queues).map((name) => [`${name}DeadLettersArn`, `arn:aws:sqs:eu-west-3:12:${name}Dead`]);
const own = { baseUrl: 'https://a.example', personsTable: 'persons-1', readJournalFunction: 'journal-1' };
const stacks = [
  stackXml('IdentityRegistry-prod', 'UPDATE_ROLLBACK_COMPLETE', { ...own, ...Object.fromEntries(arns) }),
  stackXml('IdentityRegistry-prod-Data', 'CREATE_COMPLETE', { documentsBucket: 'documents-1' }),
  stackXml('IdentityRegistry-prod-eu', 'CREATE_FAILED', { baseUrl: 'https://b.example', personsTable: 'persons-2' }),
].join('');

const subject = 'Function: sweep.';
const alarms = [
  ['OK', alarmText('requestsFail'), '07'],
  ['INSUFFICIENT_DATA', alarmText('requestsSlow'), '08'],
  ['ALARM', alarmText('requestsFail'), '05'],
  ['ALARM', alarmText('functionCrashes', subject), '06'],
].map(([StateValue, AlarmDescription, hour], index) => ({
  ...{ AlarmName: `alarm-${index}`, StateValue, AlarmDescription },
  StateTransitionedTimestamp: Date.parse(`2026-11-20T${hour}:00:00Z`) / 1000,
}));

/** Replaces AWS with recorded responses. Returns the requests for alarms. */
async function recordedAws() {
  const asked: string[] = [];
  const aws = createServer(async (request, response) => {
    const body = await text(request);
    if (String(request.headers['x-amz-target']).endsWith('.DescribeAlarms')) {
      asked.push(body);
      const [MetricAlarms, NextToken] = body.includes('NextToken') ? [alarms.slice(2)] : [alarms.slice(0, 2), 'next'];
      return void response.end(JSON.stringify({ MetricAlarms, NextToken }));
    }
    if (body.includes('Action=DescribeStacks')) {
      response.setHeader('content-type', 'text/xml');
      const result = `<DescribeStacksResult><Stacks>${stacks}</Stacks></DescribeStacksResult>`;
      return void response.end(`<DescribeStacksResponse>${result}</DescribeStacksResponse>`);
    }
    response.end(JSON.stringify({ queueUrls: [JSON.parse(body).QueueUrl.replace('Dead', '')] }));
  });
  const url = await listenLocally(aws);
  onTestFinished(() => stopServer(aws));
  const access = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const settings = { AWS_REGION: 'eu-west-3', AWS_ENDPOINT_URL: url, ...access };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return asked;
}

test('the console finds the resources of a stage in the outputs of its own stacks only', async () => {
  await recordedAws();
  const { baseUrl, names } = await awsTarget('prod');
  expect(baseUrl).toBe(own.baseUrl);
  const { queues: urls, stacks: lines, ...found } = await names();
  const { baseUrl: _, ...ownNames } = own;
  expect(found).toEqual({ documentsBucket: 'documents-1', ...ownNames });
  const at = 'https://sqs.eu-west-3.amazonaws.com/12';
  expect(urls[0]).toEqual({ name: 'fanOut', url: `${at}/fanOut`, deadUrl: `${at}/fanOutDead` });
  const [bad, good] = ['IdentityRegistry-prod', 'IdentityRegistry-prod-Data'];
  expect(lines).toMatchObject([
    { name: bad, isGood: false },
    { name: good, isGood: true },
  ]);
  await expect(awsTarget('test')).rejects.toThrow('there is no stack IdentityRegistry-test');
});

test('the console lists all alarms of a stage with their runbook sections, starting with those in state ALARM', async () => {
  const asked = await recordedAws();
  const found = await (await awsTarget('prod')).alarms();
  expect(asked[1]).toBe('{"AlarmNamePrefix":"IdentityRegistry-prod-Observability-","NextToken":"next"}');
  const { title, impact } = alarmKinds.requestsFail;
  expect(found.slice(0, 2)).toMatchObject([
    { state: 'ALARM', since: '2026-11-20T06:00:00.000Z', title: 'A function crashes', about: subject },
    { state: 'ALARM', since: '2026-11-20T05:00:00.000Z', title, about: impact },
  ]);
  expect(found.slice(2).map(({ state }) => state)).toEqual(['INSUFFICIENT_DATA', 'OK']);
});
