// The files of an SMS channel. The product itself has no SMS channel. One test compiles these files in a copy of the
// product.

/** For each file, an existing line and the text that replaces the line. */
export const additions = {
  'shared/domain/subscriptions/subscription.ts': [
    "export const protocols = ['http', 'email'] as const;",
    "export const protocols = ['http', 'email', 'sms'] as const;",
  ],
  'shared/domain/deliveries/channels.ts': [
    '} satisfies Readonly<Record<Protocol, Channel>>;',
    `  sms: channel({
    queues: { sms: 'tasks due for delivery by SMS' },
    lanes: { first: 'sms', mass: 'sms', later: 'sms', confirmations: 'sms' },
    normaliseAddress: (address) => address.replaceAll(' ', ''),
    maskAddress: (address) => address.slice(0, 3) + '***',
    targetOf: (address) => ({ mailbox: address }),
    connectsTo: undefined,
    patienceMs: undefined,
    times: () => receiverTimes({ receiverTimeoutSeconds: 5 }),
  }),
} satisfies Readonly<Record<Protocol, Channel>>;`,
  ],
  'shared/contract/capabilities.ts': [
    "  'mail:send': {",
    `  'sms:send': {
    variable: 'SMS_SENDER',
    address: () => 'REGISTRY',
    actions: ['sms-voice:SendTextMessage'],
    resources: () => [['sms-voice', 'phone-number', '*']],
    wildcard: 'any of our numbers can send',
  },
  'mail:send': {`,
  ],
  'shared/contract/workers.ts': [
    'const deliverers = { http: deliverByHttp, email: deliverByEmail }',
    `export const deliverBySms = defineWorker('deliveries', {
  worker: 'deliverBySms',
  payload: deliveryTask,
  batchSize: 10,
  lanes: [{ lane: 'deliverBySms', queue: 'sms', maxConcurrency: 10, impact: 'No SMS is sent.' }],
  uses: [...deliveryUses, \`queues:\${laneOf('sms', 'later')}\`, 'sms:send'],
  reads: deliveryReads,
});

const deliverers = { http: deliverByHttp, email: deliverByEmail, sms: deliverBySms }`,
  ],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export const newFiles = {
  'shared/storage/sms/sms.ts': `import { defineStore } from '../../contract/define-store.ts';

const send = (_client: object, sender: string) => ({
  send: async (_text: string, _number: string): Promise<{ readonly isTaken: boolean }> => ({ isTaken: sender !== '' }),
});

export const sms = defineStore({ name: 'sms', client: () => ({}), permissions: { send } });
`,
  'shared/delivery/sms/sms-sender.ts': `import type { sms } from '../../storage/sms/sms.ts';
import type { Sender } from '../delivery-context.ts';

export const smsSender = (client: ReturnType<typeof sms.permissions.send>): Sender => ({
  async deliver({ topicName, messageId }, { address }) {
    const { isTaken } = await client.send(topicName + ' ' + messageId, address);
    return { class: isTaken ? 'delivered' : 'sms' };
  },
});
`,
  'functions/deliveries/deliver-by-sms.ts': `import { deliverBySms } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-tasks.ts';
import { deliveryContext } from '../../shared/delivery/delivery-context.ts';
import { smsSender } from '../../shared/delivery/sms/sms-sender.ts';
import { laneOf } from '../../shared/domain/deliveries/channels.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { onAttempted, onFailed } from '../../shared/lambda/report-delivery.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { sms } from '../../shared/storage/sms/sms.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = consume(deliverBySms, [subscriptions, deliveries, messages, queues, sms], (tasks, tools) => {
  const laterLane = tools.queues[laneOf('sms', 'later')];
  const context = deliveryContext(tools, { laterLane, sender: smsSender(tools.sms), onFailed, onAttempted, leaseSeconds: 20, attemptSeconds: 5 });
  return deliverAll(tasks, context);
});
`,
} as const;
