import { hasConfiguredEndpoints } from '../lambda/environment.ts';

/**
 * Returns the configuration of every AWS client: the SDK's own defaults, set explicitly. For each missing value, the
 * SDK would search for `~/.aws/config`, which no function has; this takes 5 % of a cold start.
 * @param timeoutMs when a request fails and may be retried. Without `throwOnRequestTimeout`, the SDK would only log the
 * timeout.
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
/** Removes the SDK's logger, for which the SDK spends a quarter of its time copying requests and responses. */
export function withoutLogger<Client extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  aws: Client,
): Client {
  aws.middlewareStack.remove('loggerMiddleware');
  return aws;
}
