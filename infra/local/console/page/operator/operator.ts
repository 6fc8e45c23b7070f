import { InvokeCommand } from '@aws-sdk/client-lambda';
import type { readJournal as readJournalJob } from '../../../../../shared/contract/jobs.ts';
import type { JournalPage } from '../../../../../shared/domain/journal/journal-row.ts';
import { readRarely } from '../read-rarely.ts';
import type { HealthLine, OperatorState } from '../state.ts';
import { readImports } from './imports.ts';
import { readQueues } from './queues.ts';
import type { OperatorTarget } from './target.ts';

/** Reads the state of a deployment with the AWS credentials of an operator. */
export interface Operator {
  readonly read: () => Promise<OperatorState>;
  /** Reads rows of the access journal, and records this access in the journal. */
  readonly readJournal: (input: ReturnType<typeof readJournalJob.input.parse>) => Promise<JournalPage>;
}

const timeoutMs = 10_000;

async function healthOf(baseUrl: string): Promise<HealthLine> {
  const begunAt = performance.now();
  try {
    const { status } = await fetch(`${baseUrl}/v1/health`, { signal: AbortSignal.timeout(timeoutMs) });
    const tookMs = Math.round(performance.now() - begunAt);
    return { name: 'API', text: `status ${status} after ${tookMs} ms`, isGood: status === 200 };
  } catch (error) {
    return { name: 'API', text: `no response: ${(error as Error).message}`, isGood: false };
  }
}

interface OperatorOptions {
  /**
   * The time for which the state of a deployment is cached. The state is cached because each read requires two requests
   * per queue.
   */
  readonly maxAgeMs: number;
  /** The base URL of the registry whose health is checked. */
  readonly baseUrl?: string;
}

export function createOperator(target: OperatorTarget, { maxAgeMs, baseUrl }: OperatorOptions): Operator {
  const { sqs, s3, dynamodb, lambda } = target;
  const summaries: Parameters<typeof readImports>[0]['summaries'] = new Map();

  async function readAll(): Promise<OperatorState> {
    const names = await target.names();
    const [alarms, api, queues, imports] = await Promise.all([
      target.alarms(),
      baseUrl === undefined ? [] : healthOf(baseUrl),
      readQueues(sqs, names.queues),
      readImports({ s3, dynamodb, bucket: names.documentsBucket, table: names.personsTable, summaries }),
    ]);
    return { alarms, health: [api, names.stacks].flat(), queues, imports };
  }

  return {
    read: readRarely(
      readAll,
      () => maxAgeMs,
      () => performance.now(),
    ),
    async readJournal(input) {
      const { readJournalFunction: FunctionName } = await target.names();
      const response = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(input) }));
      const result: unknown = JSON.parse(response.Payload?.transformToString() || 'null');
      if (response.FunctionError === undefined) return result as JournalPage;
      throw new Error(`the journal cannot be read: ${(result as { errorType?: string }).errorType}`);
    },
  };
}
