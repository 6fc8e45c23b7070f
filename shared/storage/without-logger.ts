/** Copying every request and answer for a logger that there is not takes the SDK a quarter of its time. */
export function withoutLogger<Client extends { readonly middlewareStack: { remove(name: string): boolean } }>(
  aws: Client,
): Client {
  aws.middlewareStack.remove('loggerMiddleware');
  return aws;
}
