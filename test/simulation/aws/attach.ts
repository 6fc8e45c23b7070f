import { randomUUID } from 'node:crypto';
import { retryMiddleware } from '@smithy/core/retry';
import type { Interference } from '../../harness/interference.ts';

/** Commands in, outputs out: one request as the service gets it. */
export interface Service {
  send(command: object): Promise<unknown>;
}

/** A client of the SDK, as a store makes it. */
interface Client {
  send: unknown;
  readonly config: Parameters<typeof retryMiddleware>[0];
}

interface Command {
  readonly input: Readonly<Record<string, unknown>>;
}

type Between = Pick<Interference, 'call' | 'wire'>;

/** The operation of a command: `PutItem`. */
export const operationOf = (command: object): string => command.constructor.name.replace(/Command$/, '');

/**
 * Lets a client of the SDK ask a simulated service. What the SDK does around a request is left out, but for its retries:
 * they are made by its own middleware with the client's own strategy, at the time of whatever clock is installed.
 * `between` steps in the way of calls (`call`: retries are inside) and of requests (`wire`: each attempt comes by).
 */
export function attach(client: object, service: Service, between: () => Between = () => ({})): void {
  const target = client as Client;
  const retrying = retryMiddleware(target.config);
  target.send = async (command: Command) => {
    const call = { command: operationOf(command), input: command.input };
    // The SDK gives every transaction a token, and keeps it when it tries again.
    if (call.command === 'TransactWriteItems' && command.input.ClientRequestToken === undefined)
      Object.assign(command.input, { ClientRequestToken: randomUUID() });
    const request = async () => {
      const go = async () => ({ response: {}, output: withMetadata(await service.send(command)) });
      return (await (between().wire?.(call, go) ?? go())) as Awaited<ReturnType<typeof go>>;
    };
    const attempts = retrying(request as never, {} as never);
    // As the SDK's own middleware sees it: the output is in an envelope.
    const go = () => attempts({ input: command.input, request: {} } as never) as Promise<{ output: unknown }>;
    const done = await (between().call?.(call, go) ?? go());
    return done.output;
  };
}

const withMetadata = (output: unknown) => Object.assign(output as object, { $metadata: { ...metadata } });
const metadata = { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 };
