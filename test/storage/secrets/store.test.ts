import { ResourceNotFoundException, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { capabilities } from '../../../shared/contract/capabilities.ts';
import { namingSecret, signingSecret } from '../../../shared/storage/secrets/store.ts';
import { secretOfTests } from '../../harness/builders.ts';
import { useSecrets } from '../../harness/embedded.ts';
import { type AwsClient, type Interference, interfereWith } from '../../harness/interference.ts';
import { secretArn } from '../../harness/variables.ts';

const arns = { naming: secretArn('naming'), signing: secretArn('signing') };
const server = useSecrets({ [arns.naming]: secretOfTests, [arns.signing]: secretOfTests });

const stages: unknown[] = [];
let between: Interference['call'];
let client: SecretsManagerClient;

const warmUpNaming = () => namingSecret.warmUp?.(client, arns.naming, capabilities['naming:read']);
const warmUpSigning = () => signingSecret.warmUp?.(client, arns.signing, capabilities['signing:read']);
const readSigning = () => signingSecret.permissions.read(client, arns.signing).versions();
const readNaming = () => namingSecret.permissions.read(client, arns.naming).text();

describe('secrets that were read during the Lambda initialisation', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', server.endpoint);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    client ??= namingSecret.client() as SecretsManagerClient;
    stages.length = 0;
    between = undefined;
    const note: Interference['call'] = (call, go) => {
      stages.push(call.input.VersionStage);
      return between?.(call, go) ?? go();
    };
    return interfereWith(client as unknown as AwsClient, () => ({ call: note }));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });

  it('only the first request uses a secret that was read during the Lambda initialisation', async () => {
    await warmUpNaming();
    expect(await readNaming()).toBe(secretOfTests);
    expect(stages).toEqual(['AWSCURRENT']);
    expect(await readNaming()).toBe(secretOfTests);
    expect(stages).toHaveLength(2);
  });

  it('both versions of a rotating secret are read concurrently', async () => {
    let underWay = 0;
    let most = 0;
    between = async (_, go) => {
      underWay += 1;
      most = Math.max(most, underWay);
      return go().finally(() => {
        underWay -= 1;
      });
    };
    await warmUpSigning();
    expect(most).toBe(2);
    const { current, previous } = await readSigning();
    expect(current.text).toBe(secretOfTests);
    expect(previous?.text).not.toBe(secretOfTests);
    expect(stages).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
  });

  it('a secret that was read during the Lambda initialisation is read again by a request ten seconds later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await warmUpNaming();
    vi.advanceTimersByTime(10_000);
    await readNaming();
    expect(stages).toHaveLength(2);
  });

  it('a secret without a previous version causes only one read of the previous version', async () => {
    const missing = new ResourceNotFoundException({ message: 'missing', $metadata: {} });
    between = ({ input }, go) => (input.VersionStage === 'AWSPREVIOUS' ? Promise.reject(missing) : go());
    await warmUpSigning();
    expect((await readSigning()).previous).toBeUndefined();
    expect(stages).toHaveLength(2);
  });

  it('a secret is read again if the first read failed', async () => {
    between = () => Promise.reject(new Error('down'));
    await warmUpNaming();
    between = undefined;
    expect(await readNaming()).toBe(secretOfTests);
    expect(stages).toHaveLength(2);
  });
});
