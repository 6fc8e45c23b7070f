import { expect, test } from 'vitest';
import { drain, emptyPolls } from '../../../infra/operate/drain/drain.ts';
import { drainedQueues, heldWorkers, senders } from '../../../infra/operate/drain/drain-plan.ts';
import { eventSourcesOf, functionsNamed } from '../../../infra/operate/functions.ts';
import { synthesizeTemplate } from '../../harness/template.ts';

test('drain stops every endpoint and job that sends messages, and reads the queues whose content would be lost with the stack', async () => {
  const { stacks, idOf } = await synthesizeTemplate({ stage: 'prod' });
  const { template = { Resources: {} } } = stacks.find(({ name }) => name === 'IdentityRegistry-prod') ?? {};
  const functions = functionsNamed(template, senders);
  const { queues, deadLetterQueues } = drainedQueues(template);
  const sending = ['publishEvent', 'subscribe', 'deleteTopic', 'sweep', 'recover'];
  for (const name of sending) expect([...functions]).toContainEqual([idOf('AWS::Lambda::Function', name), undefined]);
  expect([...functions.keys()]).not.toContain(idOf('AWS::Lambda::Function', 'deliverByHttp'));
  const held = eventSourcesOf(template, heldWorkers).map((id) => id.slice(0, -8));
  expect(held).toEqual(['workerslinkDocumentsqueue', 'workersimportChangesqueue']);
  expect(queues).toHaveLength(deadLetterQueues.length);
  expect(queues).toContain(idOf('AWS::SQS::Queue', 'retry'));
  expect(deadLetterQueues).toContain(idOf('AWS::SQS::Queue', 'retryDeadLetters'));
  expect(queues).not.toContain(idOf('AWS::SQS::Queue', 'imports'));
});

test('drain waits until all queues have been empty for several minutes, and fails if a dead letter is left', async () => {
  const lines: string[] = [];
  let polls = 0;
  let isDead = true;
  const stack = {
    deadLetters: async () => (isDead ? new Map([['httpDeadLetters', 1]]) : new Map()),
    waiting: async () => (polls < 3 ? new Map([['retry', 2]]) : new Map()),
    stop: async () => void lines.push('stopped'),
  };
  const sleep = async () => {
    polls += 1;
    // During the last poll, a new dead letter appears.
    isDead = polls === 2 + emptyPolls;
  };
  const draining = () => drain(stack, (line) => void lines.push(line), sleep);
  await expect(draining()).rejects.toThrow(/^dead letters would be lost: 1 in httpDeadLetters\. Redrive /);
  expect(lines).toEqual([]);
  isDead = false;
  await expect(draining()).rejects.toThrow('dead letters would be lost');
  expect(polls).toBe(2 + emptyPolls);
  expect(lines).toEqual(['stopped', expect.any(String), 'waiting for 2 in retry', 'all queues look empty']);
});
