import { BatchWriteItemCommand, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageBatchCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  type Message as SqsMessage,
} from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { FauxqsServer } from 'fauxqs';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { handler as fanOut } from '../../functions/deliveries/fan-out.ts';
import { handler as sweep } from '../../functions/deliveries/sweep.ts';
import { handler as wait } from '../../functions/deliveries/wait.ts';
import { handler as publishEvent } from '../../functions/topics/publish-event.ts';
import { handler as removeSubscriptions } from '../../functions/topics/remove-subscriptions.ts';
import { startSqsAndS3 } from '../../infra/local/fauxqs.ts';
import { type Message, recordOf, settledMessages } from '../../infra/local/sqs-batch.ts';
import { readDeploymentSettings } from '../../infra/settings.ts';
import { workerTimes } from '../../infra/worker-times.ts';
import { maxReceiveCount, type QueueName, queues } from '../../shared/contract/queues.ts';
import { type SettingName, settings, settingVariable } from '../../shared/contract/settings.ts';
import { type TableName, tables } from '../../shared/contract/tables.ts';
import { deliverByEmail, deliverByHttp } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import {
  type DeliveryContext,
  type DeliveryTools,
  deliveryContext,
} from '../../shared/delivery/engine/delivery-context.ts';
import type { Sender } from '../../shared/delivery/engine/sender.ts';
import { receiverTimes } from '../../shared/domain/deliveries/times.ts';
import { consume } from '../../shared/lambda/consume.ts';
import type { Outcome } from '../../shared/model/deliveries/outcome.ts';
import type { DeliveryTask } from '../../shared/model/deliveries/task.ts';
import type { StoredSubscription } from '../../shared/model/subscriptions/subscription.ts';
import type { StoredTopic } from '../../shared/model/topics/topic.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { dynamo, toItem } from '../../shared/storage/dynamo.ts';
import { queues as queueStore } from '../../shared/storage/queues/queues.ts';
import { rowOf } from '../../shared/storage/subscriptions/rows.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import { aSubscription, aTopic, noon } from '../support/builders.ts';
import { readConsole } from '../support/console-lines.ts';
import { useDynamodb } from '../support/embedded.ts';
import { apiEvent, context } from '../support/lambda-events.ts';

const region = 'us-east-1';
// One queue stands for both ways by http: what goes by which is the wiring of the functions.
const names = (Object.keys(queues) as QueueName[]).filter((name) => name !== 'slow' && name !== 'mailFeedback');
const minute = 60_000;
const { leaseSeconds } = receiverTimes({ receiverTimeoutSeconds: 15 });

/** What a sender was given, whatever became of it. */
export interface Post {
  readonly messageId: string;
  readonly type: 'Notification' | 'SubscriptionConfirmation';
  readonly uuid: string;
  readonly body: string;
  readonly token: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly isAccepted: boolean;
}

/** Decides how a POST ends; `tries` were made before with this message to this subscription. */
export type Answering = (post: Pick<Post, 'messageId' | 'type' | 'uuid'>, tries: number) => Outcome | Promise<Outcome>;

export const accepts: Answering = () => ({ class: 'delivered' });
export const refuses: Answering = () => ({ class: 'http', status: 503 });

type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;
type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Row = Readonly<Record<string, unknown>>;

/** A call that leaves a function: of AWS, by its command, or of the sender. */
export interface Call {
  readonly command: string;
  readonly input: Row;
}

/** What a test may put in the way of the plant's functions. */
export interface Interference {
  /** Around every call of a function, AWS's and the sender's; the SDK's own retries are inside. */
  call?: <Result>(call: Call, go: () => Promise<Result>) => Promise<Result>;
  /** Around every request to AWS as it goes over the wire; the SDK's own retries come through here. */
  wire?: <Result>(call: Call, go: () => Promise<Result>) => Promise<Result>;
  /** Around the engine of the delivering functions. */
  engine?: (engine: DeliveryContext) => DeliveryContext;
  /** Resolves when the process that works on a batch has died: its messages are left where they are. */
  death?: Promise<unknown>;
  /** Between the queue and a worker: which records a batch has, in which order. */
  batch?: (queue: QueueName, messages: Message[]) => Message[];
  /** Between a worker and the queue: what is settled. */
  settled?: (queue: QueueName, messages: Message[]) => Message[];
}

/** The sparse index lags: it does not show these subscriptions yet. */
export const hiding = (...hidden: readonly (StoredSubscription | undefined)[]): Interference => ({
  async call(call, go) {
    const done = await go();
    if (call.input.IndexName !== 'activeByTopic') return done;
    const { output } = done as { output: { Items?: { uuid?: { S?: string } }[] } };
    const isHidden = (uuid: string | undefined) => hidden.some((one) => one?.uuid === uuid);
    return { ...done, output: { ...output, Items: output.Items?.filter(({ uuid }) => !isHidden(uuid?.S)) } };
  },
});

/**
 * The delivery side of the service in this process: its own functions over an embedded DynamoDB and SQS, fed as Lambda
 * feeds them. Only the clock is moved by the test (the queues' too), and the sender is the test's.
 */
export function usePlant(
  given: Partial<Record<SettingName, string>> = {},
  /** Tables that keep their rows from test to test. */
  kept: readonly TableName[] = [],
) {
  const dynamodb = useDynamodb();
  const lines = readConsole();
  const before = { ...process.env };
  const urls = {} as Record<QueueName, string>;
  const tableNames = {} as Record<'topics' | 'subscriptions' | 'deliveries', string>;
  const posts: Post[] = [];
  const failures: { messageId: string; uuid: string }[] = [];
  const state: { answering: Answering; interference: Interference } = { answering: accepts, interference: {} };
  let server: FauxqsServer;
  let sqs: SQSClient;

  beforeAll(async () => {
    server = await startSqsAndS3();
    for (const name of ['topics', 'subscriptions', 'deliveries'] as const) {
      tableNames[name] = await dynamodb.createTable(name);
      process.env[`${name.toUpperCase()}_TABLE`] = tableNames[name];
    }
    const values = (Object.keys(settings) as SettingName[]).map((name) => [
      settingVariable(name),
      given[name] ?? settings[name].default,
    ]);
    const endpoint = await dynamodb.client.config.endpoint?.();
    Object.assign(process.env, Object.fromEntries(values), {
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${endpoint?.port}`,
      AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${server.port}`,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      BASE_URL: 'https://registry.example',
    });
    for (const name of names) {
      const { queueArn } = server.createQueue(`${name}DeadLetters`, { region });
      const times = workerTimes(
        name,
        readDeploymentSettings((asked) => given[asked]),
      );
      const attributes = {
        VisibilityTimeout: String(times.visibilitySeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn, maxReceiveCount }),
      };
      server.createQueue(name, { region, attributes });
      urls[name] = `http://127.0.0.1:${server.port}/000000000000/${name}`;
      process.env[`${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_QUEUE_URL`] = urls[name];
    }
    process.env.SLOW_QUEUE_URL = urls.http;
    sqs = new SQSClient({});
    for (const client of [dynamo(), queueStore.client() as SQSClient])
      watch((client as DynamoDBClient).middlewareStack);
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
  });
  afterAll(async () => {
    vi.useRealTimers();
    sqs.destroy();
    (queueStore.client() as SQSClient).destroy();
    dynamo().destroy();
    await server.stop();
    process.env = before;
  });

  /** Lets the test step between a function and AWS. */
  function watch(stack: DynamoDBClient['middlewareStack']): void {
    const between = <Result>(
      where: 'call' | 'wire',
      name: string | undefined,
      input: object,
      go: () => Promise<Result>,
    ) => {
      const call = { command: String(name).replace(/Command$/, ''), input: input as Row };
      return state.interference[where]?.(call, go) ?? go();
    };
    stack.add(
      (next, { commandName }) =>
        (request) =>
          between('call', commandName, request.input, () => next(request)),
      { step: 'initialize', name: 'betweenFunctionAndAws' },
    );
    // After the SDK's retries, so that each attempt comes by.
    stack.add(
      (next, { commandName }) =>
        (request) =>
          between('wire', commandName, request.input, () => next(request)),
      { step: 'deserialize', name: 'betweenSdkAndAws' },
    );
  }

  const scan = async (table: string) => {
    const pages = await Array.fromAsync(
      paginateScan({ client: dynamodb.client }, { TableName: table, ConsistentRead: true }),
    );
    return pages.flatMap(({ Items = [] }) => Items);
  };
  const rows = async (name: keyof typeof tableNames): Promise<Row[]> =>
    (await scan(tableNames[name])).map((item) => unmarshall(item));

  async function writeAll(name: keyof typeof tableNames, requests: object[]): Promise<void> {
    const chunks = Array.from({ length: Math.ceil(requests.length / 25) }, (_, index) =>
      requests.slice(index * 25, index * 25 + 25),
    );
    for (let from = 0; from < chunks.length; from += 8) {
      await Promise.all(
        chunks
          .slice(from, from + 8)
          .map((chunk) =>
            dynamodb.client.send(new BatchWriteItemCommand({ RequestItems: { [tableNames[name]]: chunk } })),
          ),
      );
    }
  }

  const keyOf = (name: TableName, item: Record<string, unknown>) => {
    const { partition, sort }: { partition: string; sort?: string } = tables[name];
    return Object.fromEntries([partition, ...(sort === undefined ? [] : [sort])].map((key) => [key, item[key]]));
  };

  /** Empties a queue, what is being worked on included; one that is empty costs no call. */
  const empty = async (name: QueueName | `${QueueName}DeadLetters`): Promise<void> => {
    if (bodiesIn(name).length === 0) return;
    await sqs.send(new PurgeQueueCommand({ QueueUrl: `http://127.0.0.1:${server.port}/000000000000/${name}` }));
  };
  const purge = async (...which: QueueName[]): Promise<void> => {
    const chosen = which.length === 0 ? names : which;
    await Promise.all(chosen.map((name) => empty(name)));
  };

  /** Empties tables, queues and memory, and sets the clock back to noon. */
  async function reset(): Promise<void> {
    vi.setSystemTime(noon);
    posts.length = 0;
    failures.length = 0;
    state.answering = accepts;
    state.interference = {};
    await purge();
    for (const name of names) await empty(`${name}DeadLetters`);
    for (const name of Object.keys(tableNames) as (keyof typeof tableNames)[]) {
      if (kept.includes(name)) continue;
      const items = await scan(tableNames[name]);
      await writeAll(
        name,
        items.map((item) => ({ DeleteRequest: { Key: keyOf(name, item) } })),
      );
    }
  }
  beforeEach(reset);

  const tries = (messageId: string, uuid: string) =>
    posts.filter((post) => post.messageId === messageId && post.uuid === uuid);

  const sender: Sender = {
    deliver({ messageId, type, body, confirmation }, { uuid }) {
      const asked = { messageId, type, uuid };
      const post = async () => {
        const outcome = await state.answering(asked, tries(messageId, uuid).length);
        const [token, at] = [confirmation?.token, Date.now()];
        posts.push({ ...asked, body: body.toString(), token, at, isAccepted: outcome.class === 'delivered' });
        return outcome;
      };
      return state.interference.call?.({ command: 'POST', input: asked }, post) ?? post();
    },
  };

  const onFailed = (messageId: string, uuid: string) => void failures.push({ messageId, uuid });
  const onAttempted = () => {};
  const through = (engine: DeliveryContext): DeliveryContext => state.interference.engine?.(engine) ?? engine;

  const deliver = (
    tools: DeliveryTools,
    queue: DeliveryContext['queue'],
    ...batch: [DeliveryTask[], readonly boolean[]]
  ) => deliverAll(...batch, through(deliveryContext(tools, { queue, sender, onFailed, onAttempted, leaseSeconds })));
  const stores = [subscriptions, ledger, queueStore] as const;
  const workers: Record<QueueName, QueueHandler> = {
    fanOut,
    retry: wait,
    cleanUp: removeSubscriptions,
    http: consume(deliverByHttp, stores, (tasks, tools, isRepeated) =>
      deliver(tools, tools.queues.slow, tasks, isRepeated),
    ),
    slow: () => Promise.reject(new Error('see `names`')),
    email: consume(deliverByEmail, stores, (tasks, tools, isRepeated) =>
      deliver(tools, tools.queues.email, tasks, isRepeated),
    ),
    mailFeedback: () => Promise.reject(new Error('no mail comes back here')),
  };

  const inspect = (name: string) => {
    const queue = server.inspectQueue(name);
    if (queue === undefined) throw new Error(`there is no queue ${name}`);
    return queue.messages;
  };

  const bodiesIn = (name: QueueName | `${QueueName}DeadLetters`): string[] => {
    const { ready, delayed, inflight } = inspect(name);
    return [...ready, ...delayed, ...inflight.map(({ message }) => message)].map(({ body }) => body);
  };

  /** Hands one batch of what a queue shows now to its function, as Lambda does; false when it shows nothing. */
  async function workOnce(name: QueueName): Promise<boolean> {
    const names = { MessageSystemAttributeNames: ['All' as const] };
    const request = { QueueUrl: urls[name], MaxNumberOfMessages: 10, ...names };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(request));
    if (Messages.length === 0) return false;
    const { batch, settled, death } = state.interference;
    const received = Messages as (SqsMessage & Message)[];
    const messages = batch?.(name, received) ?? received;
    const answer = workers[name]({ Records: messages.map((message) => recordOf(message, name)) }).catch(
      () => undefined,
    );
    const response = await (death === undefined ? answer : Promise.race([answer, death.then(() => undefined)]));
    if (response === undefined) return true;
    const done = settledMessages(received, JSON.stringify(response), true);
    const entries = (settled?.(name, done) ?? done).map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    if (entries.length > 0) {
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: urls[name], Entries: entries }));
    }
    return true;
  }

  /** Works through everything that the queues show now, and what follows from it. */
  async function work(...which: QueueName[]): Promise<void> {
    const chosen = which.length === 0 ? names : which;
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const name of chosen) {
        const { ready, delayed, inflight } = inspect(name);
        const isShown = (at: number | undefined) => (at ?? 0) <= Date.now();
        const has =
          ready.length > 0 ||
          delayed.some(({ delayUntil }) => isShown(delayUntil)) ||
          inflight.some(({ visibilityDeadline }) => isShown(visibilityDeadline));
        if (has) isBusy = (await workOnce(name)) || isBusy;
      }
    }
  }

  /** When a queue shows something next; undefined when all are empty. */
  function nextShow(): number | undefined {
    const times = names.flatMap((name) => {
      const { ready, delayed, inflight } = inspect(name);
      return [
        ...ready.map(() => Date.now()),
        ...delayed.map(({ delayUntil = 0 }) => delayUntil),
        ...inflight.map(({ visibilityDeadline }) => visibilityDeadline),
      ];
    });
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** When the sweeper finds something next; undefined when the ledger waits for nothing. */
  async function nextDue(): Promise<number | undefined> {
    const times = (await rows('deliveries'))
      .filter(({ sweepShard }) => String(sweepShard).startsWith('due#'))
      .map(({ sweepAt }) => Number(sweepAt));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Lets time pass from one event to the next: queues show what is due, and the sweeper, who runs every minute, looks at
   * what is overdue. Ends when nothing is left to do, or at `until`.
   * @throws when there is no end: after `mostEvents` events
   */
  async function live({
    until = Number.POSITIVE_INFINITY,
    isSwept = true,
    mostEvents = 400,
  }: {
    until?: number;
    isSwept?: boolean;
    mostEvents?: number;
  } = {}): Promise<void> {
    for (let events = 0; ; events += 1) {
      if (events > mostEvents) throw new Error(`no end after ${events} events`);
      await work();
      const due = isSwept ? await nextDue() : undefined;
      const next = [nextShow(), due === undefined ? undefined : Math.ceil((due + 1) / minute) * minute].filter(
        (at) => at !== undefined,
      );
      if (next.length === 0 || Math.min(...next) > until) break;
      vi.setSystemTime(Math.max(Date.now(), Math.min(...next)));
      if (due !== undefined && due <= Date.now()) await sweep({});
    }
    if (Number.isFinite(until)) vi.setSystemTime(until);
  }

  /** Calls an API function; answers its status and its JSON. */
  async function call(handler: ApiHandler, request: Parameters<typeof apiEvent>[0]) {
    const { statusCode, body } = await handler(apiEvent(request), context);
    return { status: statusCode, json: body === '' ? undefined : JSON.parse(body) };
  }

  return {
    posts,
    failures,
    urls,
    lines,
    tables: tableNames,
    get client() {
      return dynamodb.client;
    },
    get sqs() {
      return sqs;
    },
    rows,
    purge,
    reset,
    work,
    workOnce,
    live,
    nextShow,
    nextDue,
    sweep: () => sweep({}),
    now: () => Date.now(),
    pass: (ms: number) => void vi.setSystemTime(Date.now() + ms),
    answer: (answering: Answering) => void Object.assign(state, { answering }),
    interfere: (interference: Interference) => void Object.assign(state, { interference }),
    /** Puts payloads into a queue, or texts that are none. */
    async send(name: QueueName, ...payloads: readonly unknown[]): Promise<void> {
      for (const payload of payloads) {
        const MessageBody = typeof payload === 'string' ? payload : JSON.stringify(payload);
        await sqs.send(new SendMessageCommand({ QueueUrl: urls[name], MessageBody }));
      }
    },
    /** Removes a row by its key, as a TTL does. */
    remove: (name: keyof typeof tableNames, key: object): Promise<void> =>
      writeAll(name, [{ DeleteRequest: { Key: toItem(key) } }]),
    /** Writes rows as they are. */
    write: (name: keyof typeof tableNames, ...items: object[]): Promise<void> =>
      writeAll(
        name,
        items.map((item) => ({ PutRequest: { Item: toItem(item) } })),
      ),
    bodiesIn,
    /** Since when the oldest message is in a queue, in milliseconds. */
    ageIn(name: QueueName): number {
      const { ready, delayed } = inspect(name);
      return Math.max(0, ...[...ready, ...delayed].map(({ sentTimestamp }) => Date.now() - sentTimestamp));
    },
    /** The payloads that are in a queue, whatever their state. */
    payloadsIn: <Job = unknown>(name: QueueName): Job[] => bodiesIn(name).map((body) => JSON.parse(body)),
    accepted: (messageId: string) =>
      posts.filter((post) => post.messageId === messageId && post.isAccepted).map(({ uuid }) => uuid),
    tries,
    store: () => subscriptions.permissions.deliver(dynamodb.client, tableNames.subscriptions),
    /** A stored topic. */
    async topic(name?: string): Promise<StoredTopic> {
      const topic = aTopic(name === undefined ? {} : { name });
      await writeAll('topics', [{ PutRequest: { Item: toItem(topic) } }]);
      return topic;
    },
    /** Stored subscriptions of a topic, active since an hour unless said otherwise. */
    async subscribed(topic: StoredTopic, ...all: Partial<StoredSubscription>[]): Promise<StoredSubscription[]> {
      const hourAgo = Date.now() - 60 * minute;
      const made = all.map((one) => {
        const isActive = one.isActive ?? true;
        const since = { createdAt: hourAgo, ...(isActive ? { activeSince: hourAgo } : {}) };
        return aSubscription(topic, { ...since, ...one });
      });
      await writeAll(
        'subscriptions',
        made.map((one) => ({ PutRequest: { Item: rowOf(one) } })),
      );
      return made;
    },
    async subscription(uuid: string): Promise<StoredSubscription> {
      const found = (await rows('subscriptions')).find((row) => row.uuid === uuid);
      if (found === undefined) throw new Error(`there is no subscription ${uuid}`);
      return found as unknown as StoredSubscription;
    },
    /** Publishes; answers the message's id. */
    async publish(topicName: string, body = '{"source":"CR"}', headers: Record<string, string> = {}): Promise<string> {
      const { status, json } = await call(publishEvent, { path: { uuid: topicName }, body, headers });
      if (status !== 200) throw new Error(`publish answered ${status}`);
      return json.messageId;
    },
    call,
  };
}

export type Plant = ReturnType<typeof usePlant>;
