import { handler as recover } from '../../../functions/deliveries/recover-subscription.ts';
import { handler as redeliver } from '../../../functions/deliveries/redeliver.ts';
import { handler as redeliverMessage } from '../../../functions/deliveries/redeliver-message.ts';
import { handler as sweep } from '../../../functions/deliveries/sweep.ts';
import { handler as generateUin } from '../../../functions/persons/generate-uin.ts';
import { handler as readPerson } from '../../../functions/persons/read-person.ts';
import { handler as change } from '../../../functions/subscriptions/change-subscription.ts';
import { handler as confirm } from '../../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import { handler as test } from '../../../functions/subscriptions/test-subscription.ts';
import { handler as unsubscribe } from '../../../functions/subscriptions/unsubscribe.ts';
import { handler as createTopic } from '../../../functions/topics/create-topic.ts';
import { handler as deleteTopic } from '../../../functions/topics/delete-topic.ts';
import { handler as publish } from '../../../functions/topics/publish-event.ts';
import type { Job } from '../../../shared/contract/background-functions.ts';
import { exportDeliveries, exportJournal, jobs } from '../../../shared/contract/jobs.ts';
import type { FunctionFacts } from '../lambda/platform.ts';

// The timeout of API functions, as set in infra/constructs/api.ts.
const apiTimeoutMs = 20_000;

const api = {
  subscribe,
  change,
  test,
  unsubscribe,
  confirm,
  createTopic,
  deleteTopic,
  publish,
  redeliverMessage,
  recover,
  generateUin,
  readPerson,
};

const apiFunction = (name: string, handler: FunctionFacts['handler']): FunctionFacts => ({
  name,
  timeoutMs: apiTimeoutMs,
  handler,
});

export const apiFunctions = Object.fromEntries(
  Object.entries(api).map(([name, handler]) => [name, apiFunction(name, handler)]),
) as Readonly<Record<keyof typeof api, FunctionFacts>>;

const jobHandlers: Readonly<Record<string, FunctionFacts['handler']>> = { sweep, redeliver };

/** The jobs that run on a schedule, and the jobs that the simulated operators start. */
export const jobFunctions: readonly (FunctionFacts & { readonly everyMinutes: number | undefined })[] = (
  jobs as readonly Job[]
).flatMap(({ job, timeoutSeconds, everyMinutes }) => {
  const handler = jobHandlers[job];
  if (handler !== undefined) return [{ name: job, timeoutMs: timeoutSeconds * 1000, handler, everyMinutes }];
  // Chaos mode has no bucket for exports, and does not check exports.
  if (everyMinutes !== undefined && job !== exportJournal.job && job !== exportDeliveries.job)
    throw new Error(`the simulation does not know the scheduled job ${job}`);
  return [];
});
