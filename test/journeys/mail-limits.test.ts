import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, test } from 'vitest';
import type { AwsResponse } from '../../infra/local/aws/emulators/aws-call.ts';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { confirmedReader, linkIn, mailsTo, newReader } from '../harness/mail-reader.ts';
import { readMail } from '../harness/read-mail.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

const { stack, world } = await openSeparateWorld();
const { outputs } = world;

/**
 * Records the emails that functions send to SES. `answers` are the error codes that SES returns for the next emails.
 */
const sends: { at: number; form: URLSearchParams }[] = [];
const answers: (string | undefined)[] = [];
const refusal = (code: string): AwsResponse => ({
  status: 400,
  headers: { 'content-type': 'text/xml' },
  body: `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
});
const stopWatching = stack.onAwsCall(({ action, body }) => {
  if (action !== 'ses:SendRawEmail') return undefined;
  sends.push({ at: Date.now(), form: new URLSearchParams(body) });
  const code = answers.shift();
  return code === undefined ? undefined : refusal(code);
});
afterAll(() => void stopWatching());

test('a subscriber gets only one email when the subscribe request is repeated before the email is sent', async () => {
  const { topic, address } = await newReader(world);
  await world.subscribeTo(topic, address, { protocol: 'email' });
  await eventually(async () => expect(await world.aws.depth('emailConfirmations')).toBe(0));
  expect(await mailsTo(world, address, 1)).toHaveLength(1);
});

test('an email has unsubscribe headers and the tags that SES includes in its feedback', async () => {
  const { topic, pending, leaveLink } = await confirmedReader(world);
  const form = sends.at(-1)?.form;
  const { headerLines } = await readMail(Buffer.from(form?.get('RawMessage.Data') ?? '', 'base64'));
  const lineOf = (name: string) => headerLines.find(({ key }) => key === name)?.line;
  expect(lineOf('list-unsubscribe')).toBe(`List-Unsubscribe: <${leaveLink}>`);
  expect(lineOf('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(form?.get('ConfigurationSetName')).toBe(namesOf('dev').configurationSet);
  const tags = [1, 2].map((n) => [form?.get(`Tags.member.${n}.Name`), form?.get(`Tags.member.${n}.Value`)]);
  expect(tags).toEqual([
    ['subscription', pending.uuid],
    ['topic', topic.uuid],
  ]);
});

test('an email that SES throttles briefly is sent once, within its first attempt', async () => {
  const { topic, address, pending } = await confirmedReader(world, '1,0');
  answers.push('Throttling', 'Throttling');
  const messageId = await world.publish(topic, '{"source":"CR"}');
  await mailsTo(world, address, 3);
  expect(await world.attemptsAt(messageId, pending.uuid)).toMatchObject([{ class: 'delivered', next: 'none' }]);
  expect(await mailsTo(world, address, 3)).toHaveLength(3);
});

test('an email that SES keeps throttling waits a minute without using up a retry', async () => {
  const { topic, pending } = await confirmedReader(world, '1,0');
  answers.push(...Array(4).fill('Throttling'));
  const messageId = await world.publish(topic, '{"source":"CR"}');
  await eventually(async () => {
    const [outcome] = await world.aws.outcomes(messageId, pending.uuid);
    expect(outcome).toMatchObject({ class: 'email', next: 'retry' });
    expect(Number(outcome?.notBefore) - Number(outcome?.at)).toBe(60_000);
  });
  expect(answers).toEqual([]);
});

test('an email that SES rejects counts as a failed attempt and is retried according to the policy', async () => {
  const { topic, address, pending } = await confirmedReader(world, '1,3');
  answers.push('MessageRejected');
  const messageId = await world.publish(topic, '{"source":"CR"}');
  const attempts = await world.attemptsAt(messageId, pending.uuid);
  expect(attempts.at(-1)).toMatchObject({ class: 'delivered' });
  expect(await mailsTo(world, address, 3)).toHaveLength(3);
});

test('all confirmation requests are sent, but no faster than their share of the email rate allows', async () => {
  const topic = await world.newTopic();
  const addresses = Array.from({ length: 10 }, () => `${uniqueName('reader')}@example.org`);
  const before = sends.length;
  await Promise.all(
    addresses.map((address) => world.call(subscribe, { query: { topic: topic.uuid, protocol: 'email', address } })),
  );
  await eventually(() => expect(sends.length - before).toBe(addresses.length));
  const times = sends.slice(before).map(({ at }) => at);
  // At most 2 confirmation requests may be sent per second. An email may reach this test a little late, so each running
  // instance may appear to exceed the rate by one email.
  const busiest = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
  expect(busiest).toBeLessThanOrEqual(2 + 2);
  const recipients = sends.slice(before).map(({ form }) => form.get('Destinations.member.1'));
  expect(recipients.toSorted()).toEqual(addresses.toSorted());
});

test('a link in an old email works after one secret rotation, and is invalid after two', async () => {
  const [first, second] = [await confirmedReader(world), await confirmedReader(world)];
  const { signing: arn } = outputs.resources.secrets;
  const secrets = new SecretsManagerClient({
    endpoint: outputs.secretsManagerEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const rotate = async (value: string) => {
    await secrets.send(new PutSecretValueCommand({ SecretId: arn, SecretString: value.repeat(8) }));
    // Running functions cache the secret, so the test stops them.
    await Promise.all(['unsubscribeByPage', 'deliverByEmail'].map((name) => stack.kill(name)));
  };
  await rotate('rotated1');
  expect((await fetch(first.leaveLink, { method: 'POST' })).status).toBe(200);
  await rotate('rotated2');
  expect((await fetch(second.leaveLink, { method: 'POST' })).status).toBe(400);

  await world.publish(second.topic, '{"source":"CR"}');
  const mails = await mailsTo(world, second.address, 3);
  expect((await fetch(linkIn(mails.at(-1), 'unsubscribe'), { method: 'POST' })).status).toBe(200);
});
