import { handler } from '../../functions/persons/import-changes.ts';
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
}

/** The measurements of one run of the import function. */
export interface ImportFigures {
  readonly calls: number;
  readonly writeUnits: number;
  readonly cpuMs: number;
  readonly failures: number;
}

const figures = { calls: 0, writeUnits: 0 };

const unitsOf = ({ ConsumedCapacity = [] }: { ConsumedCapacity?: object | object[] }): number =>
  [ConsumedCapacity].flat().reduce((sum, used) => sum + ((used as { CapacityUnits?: number }).CapacityUnits ?? 0), 0);

for (const client of [dynamo(), s3(), queues.client()] as Pick<ReturnType<typeof dynamo>, 'middlewareStack'>[]) {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        figures.calls += 1;
        if (!/^(?:PutItem|UpdateItem|TransactWriteItems)/.test(commandName)) return next(request);
        Object.assign(request.input, { ReturnConsumedCapacity: 'TOTAL' });
        const answered = await next(request);
        figures.writeUnits += unitsOf(answered.output as object);
        return answered;
      },
    { step: 'initialize', name: 'count' },
  );
}

answerParent<ImportRun, ImportFigures>(async ({ body, functionSeconds }) => {
  const begun = performance.now();
  const cpuBefore = process.cpuUsage();
  Object.assign(figures, { calls: 0, writeUnits: 0 });
  const getRemainingTimeInMillis = () => Math.max(0, functionSeconds * 1000 - (performance.now() - begun));
  const { batchItemFailures } = await handler(sqsEvent(body), { ...context, getRemainingTimeInMillis });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...figures, cpuMs: (user + system) / 1000, failures: batchItemFailures.length };
});
