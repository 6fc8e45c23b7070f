/**
 * What the bundler puts in place of `@aws-sdk/credential-provider-node`: Lambda hands its role's credentials over in the
 * environment, so the chain of other providers (SSO, STS, web identity, metadata service) need not be loaded. They stay the
 * same as long as the process lives, and a client asks for them three times a request.
 */
export const defaultProvider = () => {
  let read: ReturnType<typeof readCredentials> | undefined;
  return async () => {
    read ??= readCredentials();
    return read;
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
