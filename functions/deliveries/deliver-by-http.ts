import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import { deliverByHttp } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-tasks.ts';
import { httpContext } from '../../shared/delivery/http/http-context.ts';
import type { InternalError } from '../../shared/domain/internal-errors.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { onAttempted, onFailed } from '../../shared/lambda/report-delivery.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { signingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const stores = [subscriptions, deliveries, messages, queues, signingSecret] as const;
const onError = (fault: InternalError) => logError(internalErrorLogged, fault, { worker: deliverByHttp.worker });
const context = httpContext({ onFailed, onAttempted, onError });

export const handler = consume(deliverByHttp, stores, (tasks, tools) => deliverAll(tasks, context(tools)));
