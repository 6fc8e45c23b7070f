import { fanOut } from '../../shared/contract/workers.ts';
import { fanOutPart, fanOutWhole } from '../../shared/delivery/engine/fan-out.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { messages } from '../../shared/storage/messages/messages.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = consume(fanOut, [subscriptions, ledger, messages, queues], (payloads, tools) =>
  Promise.allSettled(
    payloads.map((payload) =>
      payload.segment === undefined ? fanOutWhole(payload, tools) : fanOutPart(payload, payload.segment, tools),
    ),
  ),
);
