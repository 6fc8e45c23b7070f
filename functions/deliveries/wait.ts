import { wait } from '../../shared/contract/workers.ts';
import { nextHop } from '../../shared/domain/deliveries/hop.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { emailQueue, retryQueue, slowQueue } from '../../shared/storage/queues/queues.ts';

export const handler = consume(wait, [retryQueue, slowQueue, emailQueue], async (jobs, tools) => {
  const hops = jobs.map((job) => {
    const group = job.task.subscriptionUuids[0] ?? job.task.content.messageId;
    return { job, group, hop: nextHop(job.notBefore, tools.now(), tools.settings.hopSeconds) };
  });
  const due = (protocol: 'http' | 'email') =>
    hops
      .filter(({ job, hop }) => hop.isDue && job.task.protocol === protocol)
      .map(({ job, group }) => ({ job: job.task, group }));
  const waiting = hops.flatMap(({ job, group, hop }) =>
    hop.isDue ? [] : [{ job, group, delaySeconds: hop.delaySeconds }],
  );
  const sent = await Promise.allSettled([
    tools.slow.sendMany(due('http')),
    tools.email.sendMany(due('email')),
    tools.retry.sendMany(waiting),
  ]);
  // Sent twice does no harm, lost does: where one request failed, the jobs of that kind go back to the queue.
  return hops.map(({ job, hop }) => sent[hop.isDue ? (job.task.protocol === 'http' ? 0 : 1) : 2]) as typeof sent;
});
