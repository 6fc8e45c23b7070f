import { afterEach, expect, it, vi } from 'vitest';
import { defaultProvider } from '../../../infra/build/aliases/credential-provider.ts';

afterEach(() => vi.unstubAllEnvs());

it('the bundled credential provider reads the environment until it finds credentials, and then returns the same credentials', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  const provide = defaultProvider();
  await expect(provide()).rejects.toThrow('no credentials in the environment');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'one');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'two');
  vi.stubEnv('AWS_SESSION_TOKEN', 'three');
  const read = await provide();
  expect(read).toEqual({ accessKeyId: 'one', secretAccessKey: 'two', sessionToken: 'three' });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'another');
  expect(await provide()).toBe(read);
});
