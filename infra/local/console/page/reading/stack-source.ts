import type { AwsClient } from '../../../aws/emulators/aws-client.ts';
import type { LocalOutputs } from '../../../aws/template/outputs.ts';
import type { Activity } from '../activity.ts';
import { newestEvents, testEventOf } from '../newest-events.ts';
import type { Attempt, ClientState, ShownSubscription, Source } from '../state.ts';
import { readEvents } from './events.ts';
import { readRecipients, readSubscriptions } from './subscriptions.ts';

interface StackParts {
  readonly dynamodb: AwsClient;
  readonly outputs: () => LocalOutputs;
  readonly activity: Activity;
}

function tableOf({ resources }: LocalOutputs, name: string): string {
  const found = resources.tables[name];
  if (found === undefined) throw new Error(`the stack has no table ${name}`);
  return found;
}

/**
 * Adds the subscription's address to each attempt, and marks attempts for test events, because test events are not
 * stored.
 */
function describeAttempts(
  attempts: readonly Attempt[],
  subscriptions: ReadonlyMap<string, ShownSubscription>,
  testIds: ReadonlySet<string>,
): Attempt[] {
  return attempts.map((attempt) => ({
    ...attempt,
    address: subscriptions.get(attempt.subscription)?.address,
    kind: testIds.has(attempt.messageId) ? 'test' : attempt.kind,
  }));
}

// The maximum age of the displayed data. Older data is read again, because stored data may change without a stack
// event.
const maxAgeMs = 15_000;

type Tables = Pick<ClientState, 'topics' | 'events' | 'attempts' | 'subscriptions'>;

/** Creates the source for a local stack. Each read takes at most 54 requests, each for at most 70 rows. */
export function createStackSource({ dynamodb, outputs, activity }: StackParts): Source {
  let stored: Promise<Tables> | undefined;
  let lastRead = { revision: -1, at: 0 };

  async function readTables(): Promise<Tables> {
    const now = outputs();
    const tables = { topics: tableOf(now, 'topics'), deliveries: tableOf(now, 'deliveries') };
    const [{ topics, events, testIds }, subscriptions] = await Promise.all([
      readEvents(dynamodb, tables, activity),
      readSubscriptions(dynamodb, tableOf(now, 'subscriptions'), activity.latest().subscriptions),
    ]);
    const byUuid = new Map(subscriptions.rows.map((one) => [one.uuid, one]));
    const attempts = describeAttempts(activity.attempts(), byUuid, testIds);
    const tests = attempts.flatMap((attempt) => {
      const subscription = attempt.kind === 'test' ? byUuid.get(attempt.subscription) : undefined;
      return subscription === undefined ? [] : [testEventOf(attempt, subscription, subscription.topic)];
    });
    return { topics, events: { ...events, rows: newestEvents([...events.rows, ...tests]) }, attempts, subscriptions };
  }

  return {
    async read() {
      const revision = activity.revision();
      const isStale = revision !== lastRead.revision || performance.now() - lastRead.at > maxAgeMs;
      if (stored === undefined || isStale) {
        stored = readTables();
        lastRead = { revision, at: performance.now() };
        // The next call reads the tables again.
        stored.catch(() => {
          stored = undefined;
        });
      }
      return { figures: activity.figures(), chart: activity.chart(), ...(await stored) };
    },
    recipients: (request) => readRecipients(dynamodb, tableOf(outputs(), 'subscriptions'), request),
    // Does nothing, because every request causes a stack event, which changes the revision.
    onChanged: () => {},
  };
}
