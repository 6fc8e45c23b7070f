import { openSync, writeSync } from 'node:fs';
import { handler } from '../../functions/persons/import-changes.ts';
import { ambient } from '../../shared/lambda/ambient.ts';
import { s3 } from '../../shared/storage/documents/objects.ts';
import { dynamo } from '../../shared/storage/dynamo.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { context, sqsEvent } from '../harness/lambda-events.ts';
import { answerParent } from './process.ts';

/** The input for one run of the import function. */
export interface ImportRun {
  /** The body of the queue message. */
  readonly body: string;
  readonly functionSeconds: number;
  /**
   * The offset between the function's clock and real time, in milliseconds. An offset lets the leases of killed runs
   * expire.
   */
  readonly laterMs: number;
}

/** The measurements of one run of the import function. */
export interface ImportFigures {
  readonly calls: number;
  readonly writeUnits: number;
  readonly cpuMs: number;
  readonly failures: number;
}

const figures = { calls: 0, writeUnits: 0 };
// The notes file contains the number of each applied line (four bytes per line). The file is kept if the process is
// killed.
const notes = openSync(process.env.BENCH_NOTES ?? '', 'a');

function note(input: object): void {
  const line = JSON.stringify(input).match(/"line":\{"N":"(\d+)"\}/)?.[1];
  if (line !== undefined) writeSync(notes, new Uint8Array(Uint32Array.of(Number(line)).buffer));
}

const unitsOf = ({ ConsumedCapacity = [] }: { ConsumedCapacity?: object | object[] }): number =>
  [ConsumedCapacity].flat().reduce((sum, used) => sum + ((used as { CapacityUnits?: number }).CapacityUnits ?? 0), 0);

dynamo().middlewareStack.add(
  (next, { commandName = '' }) =>
    async (request) => {
      figures.calls += 1;
      if (!/^(?:PutItem|UpdateItem|TransactWriteItems)/.test(commandName)) return next(request);
      Object.assign(request.input, { ReturnConsumedCapacity: 'TOTAL' });
      const answered = await next(request);
      figures.writeUnits += unitsOf(answered.output as object);
      note(request.input);
      return answered;
    },
  { step: 'initialize', name: 'count' },
);
for (const client of [s3(), queues.client()] as Pick<ReturnType<typeof dynamo>, 'middlewareStack'>[]) {
  client.middlewareStack.add(
    (next) => (request) => {
      figures.calls += 1;
      return next(request);
    },
    { step: 'initialize', name: 'count' },
  );
}

let aheadMs = 0;
// Only the function uses the shifted clock. The SDK still uses real time.
Object.assign(ambient, { now: () => Date.now() + aheadMs });

answerParent<ImportRun, ImportFigures>(async ({ body, functionSeconds, laterMs }) => {
  const begun = performance.now();
  aheadMs = laterMs;
  const cpuBefore = process.cpuUsage();
  Object.assign(figures, { calls: 0, writeUnits: 0 });
  const getRemainingTimeInMillis = () => Math.max(0, functionSeconds * 1000 - (performance.now() - begun));
  const { batchItemFailures } = await handler(sqsEvent(body), { ...context, getRemainingTimeInMillis });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...figures, cpuMs: (user + system) / 1000, failures: batchItemFailures.length };
});
