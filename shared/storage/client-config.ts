import { hasConfiguredEndpoints } from '../lambda/environment.ts';

/**
 * The configuration of every AWS client: the SDK's own defaults, written out. For each missing value the SDK searches
 * `~/.aws/config`, which no function has: that takes 5 % of a cold start.
 * @param timeoutMs after which a request fails and may be retried. Without `throwOnRequestTimeout` the SDK would only
 * log it.
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
});
/** The SDK spends a quarter of its time copying requests and responses for a logger that we do not set. */
export function withoutLogger<Client extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  aws: Client,
): Client {
  aws.middlewareStack.remove('loggerMiddleware');
  return aws;
}
