import { costOf, type PricedItem } from '../../infra/docs/prices.ts';
import { preludeEnd, provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import type { apiEvent } from '../harness/lambda-events.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { accessLogBytes } from '../simulation/scale/costs.ts';
import type { World } from '../simulation/scale/world.ts';

export type Given = NonNullable<Parameters<typeof apiEvent>[0]>;

/** The average resource use of one function run. */
export interface Taken {
  /** The number of DynamoDB calls that the function itself makes. */
  readonly dynamodb: number;
  readonly s3: number;
  /** The billed duration of the function itself, in milliseconds. */
  readonly milliseconds: number;
  /** Size of the response. */
  readonly kilobytes: number;
  /** Dollars per million runs. If `followsMs` is set, the cost includes the functions that a run triggers. */
  readonly million: number;
}

let streamed: Uint8Array[] = [];
provideStreaming(async (bytes) => {
  streamed.push(bytes);
});

interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

/** Returns the status code, the body and the body size (in bytes) of a streamed or buffered API response. */
function answerOf(answer: unknown): Answer & { readonly bytes: number } {
  if (answer !== null) return { ...(answer as Answer), bytes: (answer as Answer).body.length };
  const all = Buffer.concat(streamed);
  const end = all.indexOf(preludeEnd);
  const { statusCode } = JSON.parse(all.subarray(0, end).toString()) as Answer;
  const body = all.subarray(end + preludeEnd.length);
  return { statusCode, body: statusCode < 300 ? '' : body.toString(), bytes: body.length };
}

/**
 * Calls an API function once and returns its response.
 * @throws if the response is an error
 */
export async function ask(
  { platform }: World,
  facts: FunctionFacts,
  event: object,
): Promise<Omit<Answer, 'statusCode'> & { readonly bytes: number }> {
  streamed = [];
  const ending = await platform.invoke(facts, event);
  const answer = ending.is === 'returned' ? answerOf(ending.result) : undefined;
  if (answer === undefined || answer.statusCode >= 300)
    throw new Error(`${facts.name}: ${answer?.body ?? JSON.stringify(ending)}`);
  return answer;
}

// An estimate of the number of bytes that API Gateway sends in addition to the body.
const answerHeadBytes = 400;

/** Returns the price, in dollars, of an API Gateway response, including the access log and data transfer. */
const apiDollars = (bytes: number): number =>
  costOf('API Gateway requests', 1) +
  costOf('CloudWatch Logs GB', accessLogBytes / 2 ** 30) +
  costOf('data out GB', (bytes + answerHeadBytes) / 2 ** 30);

interface Times {
  readonly asked?: number | undefined;
  /** The wait after the runs, in milliseconds. Functions that the runs trigger are counted until the wait ends. */
  readonly followsMs?: number | undefined;
}

/**
 * Runs an action many times and returns the average resource use per run.
 * @param once runs the action and returns the size of the response in bytes, or undefined if API Gateway is not used
 */
export async function taken(
  { bill, clock, compute }: World,
  facts: FunctionFacts,
  once: (number: number) => Promise<number | undefined>,
  { asked = 200, followsMs = 0 }: Times,
): Promise<Taken> {
  const now = () => {
    const own = bill.details().filter(({ by }) => followsMs > 0 || by === facts.name);
    const sum = (item: PricedItem) => own.filter((one) => one.item === item).reduce((all, { count }) => all + count, 0);
    const items = [...new Set(own.map(({ item }) => item))];
    return {
      dollars: items.reduce((all, item) => all + costOf(item, sum(item)), 0),
      dynamodb: bill.callsBy(facts.name, 'DynamoDB'),
      s3: bill.callsBy(facts.name, 'S3'),
      milliseconds: compute.usageOf(facts.name).busyMs,
    };
  };
  // The first run is not counted, because it starts a function instance and stores data that later runs read.
  await once(0);
  if (followsMs > 0) await clock.sleep(followsMs);
  // Scheduled jobs also run during the wait, so their cost during a wait of the same length is subtracted.
  const idle = now();
  if (followsMs > 0) await clock.sleep(followsMs);
  const before = now();
  const anyway = before.dollars - idle.dollars;
  let [beside, bytes] = [0, 0];
  for (let number = 1; number <= asked; number++) {
    const answered = await once(number);
    if (answered !== undefined) beside += apiDollars(answered);
    bytes += answered ?? 0;
  }
  if (followsMs > 0) await clock.sleep(followsMs);
  const after = now();
  const each = (of: 'dynamodb' | 's3' | 'milliseconds') => (after[of] - before[of]) / asked;
  return {
    ...{ dynamodb: each('dynamodb'), s3: each('s3'), milliseconds: each('milliseconds') },
    kilobytes: bytes / asked / 1024,
    million: ((after.dollars - before.dollars - anyway + beside) / asked) * 1e6,
  };
}
