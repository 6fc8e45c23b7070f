/** The Region and credentials that AWS clients use in tests. The emulators accept any credentials. */
export const awsAccess = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
};
