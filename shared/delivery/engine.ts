import type { Channel } from './channel.ts';
import type { Engine } from './deliver-task.ts';

type Given = Pick<Engine, 'subscriptions' | 'deliveries' | 'retry' | 'now'> & {
  readonly settings: {
    readonly baseUrl: string;
    readonly deliveryFormat: 'raw' | 'envelope';
    readonly hopSeconds: number;
    readonly ledgerDays: number;
  };
};

/** The engine of a delivering function, from its tools and settings; `leaseSeconds` as its times say. */
export const engineOf = (tools: Given, queue: Engine['queue'], channel: Channel, leaseSeconds: number): Engine => ({
  subscriptions: tools.subscriptions,
  deliveries: tools.deliveries,
  retry: tools.retry,
  queue,
  channel,
  now: tools.now,
  compose: tools.settings,
  leaseMs: leaseSeconds * 1000,
  ledgerMs: tools.settings.ledgerDays * 24 * 3600 * 1000,
  hopSeconds: tools.settings.hopSeconds,
});
