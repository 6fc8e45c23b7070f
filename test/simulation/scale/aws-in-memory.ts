import { s3 } from '../../../shared/storage/documents/objects.ts';
import { dynamo } from '../../../shared/storage/dynamo.ts';
import { messages } from '../../../shared/storage/messages/store.ts';
import { queues } from '../../../shared/storage/queues/store.ts';
import { signingSecret } from '../../../shared/storage/secrets/store.ts';
import type { Call, Interference } from '../../harness/interference.ts';
import { attach, type Service } from '../aws/attach.ts';
import type { Chance } from '../clock/chance.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { Bill } from './bill.ts';
import type { Compute } from './compute.ts';
import { cpuMs, latencyMs, spread } from './costs.ts';
import { normal } from './receivers.ts';

// The client is opened now, because it loads a file and the virtual clock cannot wait for files.
await (messages.client() as () => Promise<unknown>)();
// Without this endpoint, streaming uploads would look for an endpoint in files.
Object.assign(s3().config, { endpoint: async () => ({ protocol: 'https:', hostname: 's3.example', path: '/' }) });

/** The value of all secrets in scale mode. */
export const simulatedSecret = 'simulation';

interface ServicesOptions {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly compute: Compute;
  readonly bill: Bill;
  readonly dynamodb: Service;
  readonly sqs: Service;
  readonly s3: Service;
}

interface Batched {
  readonly Entries?: readonly { readonly MessageBody?: string; readonly MessageGroupId?: string }[];
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
}

const bytesOfRequest = 64 * 1024;

function medianOf(service: string, command: string): number {
  if (service === 'SQS') return latencyMs.sqs;
  if (service === 'S3') return latencyMs.s3;
  if (service !== 'DynamoDB') return latencyMs.other;
  return /^(?:Get|BatchGet|Query|Scan)/.test(command) ? latencyMs.read : latencyMs.write;
}

function billSqs(bill: Bill, input: Batched): void {
  const entries = input.Entries ?? [input];
  const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + MessageBody.length, 0);
  bill.request('SQS requests', Math.max(1, Math.ceil(bytes / bytesOfRequest)));
  bill.request('SQS fair messages', entries.filter(({ MessageGroupId }) => MessageGroupId !== undefined).length);
}

/** Bills an S3 call. Reads and writes have different prices, and deletes are free. */
function billS3(bill: Bill, command: string): void {
  if (!command.startsWith('Delete')) bill.request(/^(?:Get|Head)/.test(command) ? 'S3 reads' : 'S3 writes', 1);
}

/** Returns the name of the table, index or queue that a call uses. */
function targetOf(input: object): string {
  const { TableName, IndexName, RequestItems, QueueUrl } = input as Readonly<Record<string, string | undefined>>;
  const table = TableName ?? Object.keys(RequestItems ?? {})[0];
  if (table !== undefined) return IndexName === undefined ? table : `${table}/${IndexName}`;
  return QueueUrl?.split('/').at(-1) ?? '';
}

const itemsOf = ({ Items, Responses }: { Items?: object[]; Responses?: Record<string, object[]> }): number =>
  Items?.length ?? Object.values(Responses ?? {}).reduce((sum, rows) => sum + rows.length, 0);

/** Connects the SDK clients of all stores to simulated services. Each request takes time, uses CPU, and is billed. */
export function attachServices({ clock, chance, compute, bill, ...services }: ServicesOptions): void {
  const latencyOf = (median: number): number => median * Math.exp(spread * normal(chance));

  const onTheWire = (service: string): Interference => ({
    async wire({ command, input }: Call, go) {
      const cpu = command === 'SendMessageBatch' ? cpuMs.sqsBatch : cpuMs.request;
      compute.calling += 1;
      await clock.sleep(Math.ceil(compute.delayOf(cpu) + latencyOf(medianOf(service, command))));
      compute.calling -= 1;
      const done = await bill.call(service, command, targetOf(input), () => {
        if (service === 'SQS') billSqs(bill, input as Batched);
        if (service === 'S3') billS3(bill, command);
        if (service === 'Secrets Manager') bill.request('Secrets Manager calls', 1);
        return go();
      });
      const { output } = done as { output: Parameters<typeof itemsOf>[0] };
      const items = itemsOf(output);
      if (items > 1) await clock.sleep(Math.ceil(compute.delayOf(items * cpuMs.item)));
      return done;
    },
  });

  const all = [
    [dynamo(), 'DynamoDB', services.dynamodb],
    [queues.client(), 'SQS', services.sqs],
    [s3(), 'S3', services.s3],
    [
      signingSecret.client(),
      'Secrets Manager',
      { send: async () => ({ SecretString: simulatedSecret, CreatedDate: new Date(0) }) },
    ],
  ] as const;
  for (const [client, name, service] of all) {
    const between = onTheWire(name);
    attach(client as object, service, () => between);
  }
}
