import { appendFileSync, mkdtempSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSes } from '../../../../../infra/local/aws/emulators/ses.ts';
import { awsAccess } from '../../../../harness/aws-access.ts';

const servers: Server[] = [];
let file: string;

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'mails-')), 'mails.jsonl');
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts an inbox without stopping the previous inbox, to simulate a crash. */
async function open(kept?: string) {
  const server = await startSes(kept);
  servers.push(server);
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new SESClient({ ...awsAccess, endpoint });
  return {
    async send(subject: string) {
      const attachments = [{ filename: 'event.bin', content: bytes }];
      const mail = new MailComposer({ from, to: 'Ada <ada@example.org>', subject, text: 'É', attachments });
      await client.send(new SendRawEmailCommand({ RawMessage: { Data: await mail.compile().build() } }));
    },
    clear: () => fetch(`${endpoint}/clear-store`, { method: 'POST' }),
    async store() {
      const { emails } = (await (await fetch(`${endpoint}/store`)).json()) as { emails: { subject: string }[] };
      return emails;
    },
  };
}

const from = 'registry@example.org';
const bytes = Buffer.from([0, 255, 13, 10, 128]);

test('accepted emails and their attachments survive a crash of the inbox, and new emails are added to them', async () => {
  const first = await open(file);
  await first.send('one');
  await first.send('two');
  const before = await first.store();
  expect(before).toMatchObject([{ subject: 'one' }, { subject: 'two' }]);
  const attachments = [{ filename: 'event.bin', content: bytes.toString('base64') }];
  expect(before[0]).toMatchObject({ body: { text: 'É' }, attachments });

  const second = await open(file);
  expect(await second.store()).toEqual(before);
  // Another crash, during a write.
  appendFileSync(file, '{"messageId":"3","subj');
  await (await open(file)).send('three');
  expect(await (await open(file)).store()).toMatchObject([...before, { subject: 'three' }]);
});

test('an inbox that was emptied is still empty after a restart', async () => {
  const first = await open(file);
  await first.send('one');
  await first.clear();
  await first.send('two');
  expect(await (await open(file)).store()).toMatchObject([{ subject: 'two' }]);
});

test('only the owner can read the file that contains the emails, and emails are saved only if a file is given', async () => {
  await (await open(file)).send('one');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await (await open()).send('one');
  expect(await (await open()).store()).toEqual([]);
});
