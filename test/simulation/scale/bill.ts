import { AsyncLocalStorage } from 'node:async_hooks';
import { costOf, type PricedItem, prices, type Region, regions } from '../../../infra/docs/prices.ts';
import { currentInstance } from '../lambda/platform.ts';

interface BillLine {
  readonly item: PricedItem;
  readonly count: number;
  readonly dollars: Readonly<Record<Region, number>>;
}

/** The amount of a priced item that a call, or a running function, used. */
export interface BillDetail {
  /** The name of the function, or an empty string if the usage occurred outside a function. */
  readonly by: string;
  /** The name of the call, such as `UpdateItem deliveries`, or an empty string if no call caused the usage. */
  readonly call: string;
  readonly item: PricedItem;
  count: number;
}

// A call's cost excludes other services, such as Lambda, even if the call started a function.
const isOfCalls = (item: PricedItem): boolean => /^(?:DynamoDB|SQS|S3|SES|Secrets Manager) /.test(item);

/** Measures AWS usage and calculates its cost. */
export class Bill {
  readonly calls = new Map<string, number>();
  readonly #callsBy = new Map<string, number>();
  readonly #details = new Map<string, BillDetail>();
  readonly #call = new AsyncLocalStorage<string>();

  /** Makes a call, and attributes all usage during the call to that call. */
  call<Done>(service: string, operation: string, target: string, go: () => Done): Done {
    const name = `${service} ${operation}`;
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
    const by = `${currentInstance()?.facts.name} ${service}`;
    this.#callsBy.set(by, (this.#callsBy.get(by) ?? 0) + 1);
    return this.#call.run(`${operation} ${target}`.trim(), go);
  }

  callsBy = (functionName: string, service: string): number => this.#callsBy.get(`${functionName} ${service}`) ?? 0;

  request(item: PricedItem, count: number, by = currentInstance()?.facts.name ?? ''): void {
    const call = isOfCalls(item) ? (this.#call.getStore() ?? '') : '';
    const key = [by, call, item].join('\0');
    const detail = this.#details.get(key) ?? { by, call, item, count: 0 };
    detail.count += count;
    this.#details.set(key, detail);
  }

  details(): readonly BillDetail[] {
    return [...this.#details.values()];
  }

  lines(): BillLine[] {
    const counts = new Map<PricedItem, number>();
    for (const { item, count } of this.details()) counts.set(item, (counts.get(item) ?? 0) + count);
    const priced = (Object.keys(prices) as PricedItem[]).filter((item) => (counts.get(item) ?? 0) > 0);
    return priced.map((item) => {
      const count = counts.get(item) ?? 0;
      const dollars = Object.fromEntries(regions.map((region) => [region, costOf(item, count, region)]));
      return { item, count, dollars: dollars as BillLine['dollars'] };
    });
  }
}
