import type { Usage } from './compute.ts';
import type { Peaks } from './peaks.ts';

/** Prices in dollars, of two regions. */
type Prices = Readonly<Record<'us-east-1' | 'eu-west-1', number>>;

const same = (price: number): Prices => ({ 'us-east-1': price, 'eu-west-1': price });

/** List prices as AWS's price pages had them in 2025, without free tiers and discounts; no price since is in them. */
const prices = {
  'DynamoDB writes': { 'us-east-1': 0.625e-6, 'eu-west-1': 0.70675e-6 },
  'DynamoDB reads': { 'us-east-1': 0.125e-6, 'eu-west-1': 0.1415e-6 },
  'SQS requests': same(0.4e-6),
  // Messages with a group in a standard queue: "fair queues".
  'SQS fair messages': same(0.1e-6),
  'Lambda requests': same(0.2e-6),
  'Lambda GB-seconds': same(1.66667e-5),
  'CloudWatch Logs GB': { 'us-east-1': 0.5, 'eu-west-1': 0.57 },
  'S3 writes': same(5e-6),
  'S3 reads': same(0.4e-6),
  'SES mails': same(1e-4),
  'API Gateway requests': same(3.5e-6),
} as const satisfies Record<string, Prices>;
type Item = keyof typeof prices;
export const regions = ['us-east-1', 'eu-west-1'] as const;
type Region = (typeof regions)[number];

export interface BillLine {
  readonly item: string;
  readonly count: number;
  readonly dollars: Readonly<Record<Region, number>>;
}

/** Counts what AWS would be asked for, and what it would ask for that. */
export class Bill {
  readonly calls = new Map<string, number>();
  readonly #items = new Map<Item, number>();

  call(service: string, operation: string): void {
    const name = `${service} ${operation}`;
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
  }

  request(item: Item, count: number): void {
    this.#items.set(item, (this.#items.get(item) ?? 0) + count);
  }

  lines(peaks: Peaks, usage: ReadonlyMap<string, Usage>): BillLine[] {
    const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
    const functions = [...usage.values()];
    const items = new Map(this.#items);
    items.set('DynamoDB writes', sum(peaks.total.writes.values()));
    items.set('DynamoDB reads', sum(peaks.total.reads.values()));
    items.set('Lambda requests', sum(functions.map(({ invocations }) => invocations)));
    items.set('Lambda GB-seconds', sum(functions.map(({ megabyteMs }) => megabyteMs)) / 1024 / 1000);
    const priced = (Object.keys(prices) as Item[]).filter((item) => (items.get(item) ?? 0) > 0);
    return priced.map((item) => {
      const count = items.get(item) ?? 0;
      const dollarsIn = (region: Region): number => count * prices[item][region];
      return { item, count, dollars: { 'us-east-1': dollarsIn('us-east-1'), 'eu-west-1': dollarsIn('eu-west-1') } };
    });
  }
}
