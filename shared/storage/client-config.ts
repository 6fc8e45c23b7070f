import { hasConfiguredEndpoints } from '../lambda/environment.ts';
import { Sha256 } from './sha256.ts';

/**
 * Returns the configuration for every AWS client. The configuration sets the SDK's own defaults explicitly. If a value
 * was missing, the SDK would look for `~/.aws/config`. In a function, this search takes 5 % of a cold start and never
 * finds the file.
 * @param timeoutMs the time after which a request fails and may be retried. Without `throwOnRequestTimeout`, the SDK
 * would only log timeouts, and would not abort the request.
 */
export const clientConfig = (timeoutMs: number) => ({
  requestHandler: { connectionTimeout: 1000, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  defaultsMode: 'legacy' as const,
  retryMode: 'standard',
  maxAttempts: 3,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  ignoreConfiguredEndpointUrls: !hasConfiguredEndpoints(),
  authSchemePreference: [],
  disableClockSkewCorrection: false,
  userAgentAppId: '',
  sha256: Sha256,
});

/**
 * Returns a function that creates a client when it is first called, and then always returns this client. The client has
 * no logger, because the SDK spends a quarter of its time copying requests and responses for the logger.
 */
export function sharedClient<Client extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  create: () => Client,
): () => Client {
  let client: Client | undefined;
  return () => {
    if (client === undefined) {
      client = create();
      client.middlewareStack.remove('loggerMiddleware');
    }
    return client;
  };
}
