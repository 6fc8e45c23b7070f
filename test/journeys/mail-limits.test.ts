import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { namesOf } from '../../shared/contract/deployment-names.ts';
import { awsAccess } from '../harness/aws-access.ts';
import { confirmedReader, linkIn, mailsTo } from '../harness/mail-reader.ts';
import { readMail } from '../harness/read-mail.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const { outputs } = world;

// The emails that functions have sent to SES, as form data.
const sends: URLSearchParams[] = [];
stack.onAwsCall(({ action, body }) => {
  if (action === 'ses:SendRawEmail') sends.push(new URLSearchParams(body));
  return undefined;
});

test('an email has unsubscribe headers, and tags that SES includes in its feedback', async () => {
  const { topic, pending, leaveLink } = await confirmedReader(world);
  const form = sends.at(-1);
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

test('a link in an old email still works after one rotation of the secret, but not after two', async () => {
  const [first, second] = [await confirmedReader(world), await confirmedReader(world)];
  const { signing: arn } = outputs.resources.secrets;
  const secrets = new SecretsManagerClient({ ...awsAccess, endpoint: outputs.secretsManagerEndpoint });
  const rotate = async (value: string) => {
    await secrets.send(new PutSecretValueCommand({ SecretId: arn, SecretString: value.repeat(8) }));
    // Functions that are already running have cached the secret, so the test stops them.
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
