/**
 * Replaces `@aws-sdk/credential-provider-node`, which saves 140 KB and 38 ms of CPU time per cold start. Lambda passes
 * the credentials of the function's role in environment variables, so other credential providers (SSO, STS, metadata
 * service) are not needed.
 * @throws an Error if the environment has no credentials
 */
export const defaultProvider = () => {
  // Caches the credentials, because an AWS client reads them three times per request, and they never change within a
  // process.
  let credentials: ReturnType<typeof readCredentials> | undefined;
  return async () => {
    credentials ??= readCredentials();
    return credentials;
  };
};

function readCredentials() {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    throw new Error('no credentials in the environment');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
}
