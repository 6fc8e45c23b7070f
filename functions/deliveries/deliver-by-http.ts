import { faultLogged } from '../../shared/contract/log-lines.ts';
import { deliverByHttp } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import { httpContext } from '../../shared/delivery/http/http-context.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logFault } from '../../shared/lambda/logger.ts';
import { onAttempted } from '../../shared/lambda/on-attempted.ts';
import { onFailed } from '../../shared/lambda/on-failed.ts';
import type { Fault } from '../../shared/model/faults.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { signingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, messages, queues, signingSecret] as const;
const onFault = (fault: Fault) => logFault(faultLogged, fault, { worker: deliverByHttp.worker });
const context = httpContext({ onFailed, onAttempted, onFault });

export const handler = consume(deliverByHttp, stores, (tasks, tools) => deliverAll(tasks, context(tools)));
