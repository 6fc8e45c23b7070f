import { randomUUID } from 'node:crypto';
import { retryMiddleware } from '@smithy/core/retry';
import type { Interference } from '../../harness/interference.ts';

/** A simulated service whose `send` handles one request, without the SDK's retries. */
export interface Service {
  send(command: object): Promise<unknown>;
}

/** The parts of an SDK client that `attach` reads and replaces. */
interface Client {
  send: unknown;
  readonly config: Parameters<typeof retryMiddleware>[0];
}

interface Command {
  readonly input: Readonly<Record<string, unknown>>;
}

type Between = Pick<Interference, 'call' | 'wire'>;

/** Returns the operation name of a command, such as `PutItem` for a `PutItemCommand`. */
export const operationOf = (command: object): string => command.constructor.name.replace(/Command$/, '');

/**
 * Connects an SDK client to a simulated service. Of the SDK's middleware, only the retry middleware runs, with the
 * client's retry strategy and the simulated clock. `between` returns two wrappers: `call` for a call with all its
 * retries, and `wire` for each attempt.
 */
export function attach(client: object, service: Service, between: () => Between = () => ({})): void {
  const target = client as Client;
  const retrying = retryMiddleware(target.config);
  target.send = async (command: Command) => {
    const call = { command: operationOf(command), input: command.input };
    // Adds a client request token to each transaction, as the SDK does. Retries send the same token.
    if (call.command === 'TransactWriteItems' && command.input.ClientRequestToken === undefined)
      Object.assign(command.input, { ClientRequestToken: randomUUID() });
    const request = async () => {
      const go = async () => ({ response: {}, output: withMetadata(await service.send(command)) });
      return (await (between().wire?.(call, go) ?? go())) as Awaited<ReturnType<typeof go>>;
    };
    const attempts = retrying(request as never, {} as never);
    // SDK middleware returns an object whose `output` is the result.
    const go = () => attempts({ input: command.input, request: {} } as never) as Promise<{ output: unknown }>;
    const done = await (between().call?.(call, go) ?? go());
    return done.output;
  };
}

const withMetadata = (output: unknown) => Object.assign(output as object, { $metadata: { ...metadata } });
const metadata = { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 };
