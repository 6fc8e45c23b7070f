import { faultLogged, recoveryPassedOver } from '../../shared/contract/log-lines.ts';
import { fanOut } from '../../shared/contract/workers.ts';
import { fanOutPart, fanOutWhole } from '../../shared/delivery/engine/fan-out.ts';
import { recoverStep } from '../../shared/delivery/redelivery/recover.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logFault, logWarning } from '../../shared/lambda/logger.ts';
import type { Fault } from '../../shared/model/faults.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { journal } from '../../shared/storage/journal/journal.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, messages, journal, queues] as const;

const onFault = (fault: Fault) => logFault(faultLogged, fault, { worker: fanOut.worker });
const onPassedOver = (messageId: string, subscription: string) =>
  logWarning(recoveryPassedOver, { worker: fanOut.worker, messageId, subscription });

export const handler = consume(fanOut, stores, (payloads, tools) =>
  Promise.allSettled(
    payloads.map((payload) => {
      if ('recoveryOf' in payload) return recoverStep(payload, { ...tools, onPassedOver });
      return payload.segment === undefined
        ? fanOutWhole(payload, { ...tools, onFault })
        : fanOutPart(payload, payload.segment, tools);
    }),
  ),
);
