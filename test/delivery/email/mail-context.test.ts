import { expect, it } from 'vitest';
import { mailContext } from '../../../shared/delivery/email/email-sender.ts';
import { withinInvocation } from '../../../shared/lambda/time-left.ts';
import { aMessage, aSubscription, aTopic, noon } from '../../harness/builders.ts';
import { aMailFrame } from '../../harness/mail-frames.ts';

const clerk = aSubscription(aTopic(), { protocol: 'email', address: 'clerk@town.example' });

/** Sends an email in an invocation that has the given time left. Returns the outcome and the number of emails sent. */
async function mailed(leftMs: number) {
  let sent = 0;
  const tools = {
    mail: { send: async () => void sent++, sender: 'registry@example.org' },
    messages: {},
    queues: {},
    now: () => noon,
    settings: { emailsPerSecond: 14, stage: 'prod', repeatUnknownMails: true },
  } as unknown as Parameters<typeof mailContext>[0];
  const own = {
    mailsPerSecond: 12,
    frame: aMailFrame(),
    quota: { isSpent: () => false, spend() {} },
    footUrl: () => 'https://registry.example/v1/unsubscribe',
    onError: () => {},
  } as unknown as Parameters<typeof mailContext>[1];
  const outcome = await withinInvocation(
    () => leftMs,
    () => mailContext(tools, own).sender.deliver(aMessage(), clerk),
  );
  return { sent, outcome };
}

it('the email sender sends no email in the last seconds of its invocation', async () => {
  expect(await mailed(30_000)).toEqual({ sent: 1, outcome: { class: 'delivered' } });
  expect(await mailed(28_000)).toMatchObject({ sent: 0, outcome: { isPostponed: true } });
});
