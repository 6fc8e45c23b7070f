import type { AwsClient } from '../../aws/emulators/aws-client.ts';
import type { LocalOutputs } from '../../aws/template/outputs.ts';
import type { Heard } from '../../console/page/activity.ts';
import { readEvents } from '../../console/page/reading/events.ts';
import { readSubscriptions } from '../../console/page/reading/subscriptions.ts';
import type { ConsoleState } from '../../console/page/state.ts';
import { readQueues } from './queues.ts';

export interface Sources {
  readonly dynamodb: AwsClient;
  readonly sqs: AwsClient;
  readonly outputs: () => LocalOutputs;
  readonly heard: Heard;
}

/** The name of a table of the contract. */
export function tableOf({ resources }: LocalOutputs, name: string): string {
  const found = resources.tables[name];
  if (found === undefined) throw new Error(`the stack has no table ${name}`);
  return found;
}

// Should something change of which nobody says a word.
const mostOldMs = 15_000;

/**
 * Makes what reads the state: two small requests for each queue, and, where the stack has said something since the last time,
 * at most 54 reads of tables, each of at most 70 rows.
 */
export function createReadState({ dynamodb, sqs, outputs, heard }: Sources): () => Promise<ConsoleState> {
  let stored: Promise<Pick<ConsoleState, 'events' | 'subscriptions'>> | undefined;
  let seen = { revision: -1, at: 0 };

  async function readTables(): Promise<Pick<ConsoleState, 'events' | 'subscriptions'>> {
    const now = outputs();
    const tables = { topics: tableOf(now, 'topics'), deliveries: tableOf(now, 'deliveries') };
    const [events, subscriptions] = await Promise.all([
      readEvents(dynamodb, tables, heard),
      readSubscriptions(dynamodb, tableOf(now, 'subscriptions'), heard.latest().subscriptions),
    ]);
    return { events, subscriptions };
  }

  return async () => {
    const revision = heard.revision();
    const isOld = revision !== seen.revision || performance.now() - seen.at > mostOldMs;
    if (stored === undefined || isOld) {
      stored = readTables();
      seen = { revision, at: performance.now() };
      // Tried again the next time.
      stored.catch(() => {
        stored = undefined;
      });
    }
    const [tables, queues] = await Promise.all([stored, readQueues(sqs, outputs().resources.queues)]);
    return { figures: heard.figures(), ...tables, attempts: heard.attempts(), queues };
  };
}
