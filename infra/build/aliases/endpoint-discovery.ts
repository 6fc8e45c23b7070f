/**
 * What the bundler puts in place of `@aws-sdk/middleware-endpoint-discovery`: DynamoDB's client brings it, with a cache and its
 * data structures, for Timestream's sake. Whoever turns it on is told.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: undefined,
};

export function resolveEndpointDiscoveryConfig<Config extends { readonly endpointDiscoveryEnabled?: boolean }>(
  config: Config,
): Config {
  if (config.endpointDiscoveryEnabled) throw new Error('endpoint discovery is not bundled: see infra/slim');
  return config;
}
