import { afterEach, vi } from 'vitest';
import type { ApiHandler, Harness, Request } from './harness.ts';
import { type AwsClient, interfereWith } from './interference.ts';

/** Simulates cold starts of functions, optionally with different environment variables. */
export function useColdStarts({ call, interference }: Harness) {
  const clients: AwsClient[] = [];
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const client of clients.splice(0)) client.destroy();
  });
  return {
    /** Simulates a cold start of a Lambda function. Returns a function that invokes the started Lambda function. */
    async start(
      load: () => Promise<{ handler: ApiHandler }>,
      { variables = {} }: { readonly variables?: Readonly<Record<string, string>> } = {},
    ) {
      vi.resetModules();
      vi.unstubAllEnvs();
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      const { dynamo } = await import('../../shared/storage/dynamo.ts');
      const { queues } = await import('../../shared/storage/queues/store.ts');
      for (const client of [dynamo(), queues.client()] as AwsClient[]) {
        clients.push(client);
        interfereWith(client, interference);
      }
      const { handler } = await load();
      return (request: Request) => call(handler, request);
    },
  };
}
