import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { defineStore } from '../../contract/define-store.ts';
import type { SecretName } from '../../contract/secret-names.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { clientConfig, sharedClient } from '../client-config.ts';

/** A version of a secret. `createdAt` is in epoch milliseconds. */
export interface SecretVersion {
  readonly text: string;
  readonly createdAt: number;
}

export interface SecretVersions {
  readonly current: SecretVersion;
  readonly previous: SecretVersion | undefined;
}

/** Returns the values of both versions, starting with the current version. */
export const versionTexts = ({ current, previous }: SecretVersions): string[] =>
  previous === undefined ? [current.text] : [current.text, previous.text];

const secretsManager = sharedClient(() => new SecretsManagerClient(clientConfig(3000)));

type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

const readVersion = (manager: SecretsManagerClient, arn: string, stage: Stage) =>
  manager.send(new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }));

/**
 * The time for which a secret version that was read during warm-up is fresh. The first request immediately follows the
 * warm-up.
 */
const warmedUpMs = 10_000;
const warmedUp = new Map<string, { readonly answer: ReturnType<typeof readVersion>; readonly until: number }>();

/**
 * Returns the secret version that was read during warm-up, once and only while it is fresh. Otherwise, reads the
 * version again.
 */
async function currentVersion(manager: SecretsManagerClient, arn: string, stage: Stage) {
  const key = `${arn} ${stage}`;
  const found = warmedUp.get(key);
  warmedUp.delete(key);
  if (found === undefined || found.until <= Date.now()) return readVersion(manager, arn, stage);
  return found.answer.catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) throw error;
    return readVersion(manager, arn, stage);
  });
}

const warmUpStages =
  (...stages: readonly Stage[]) =>
  (manager: SecretsManagerClient, arn: string): Promise<unknown> => {
    const answers = stages.map((stage) => {
      const answer = readVersion(manager, arn, stage);
      warmedUp.set(`${arn} ${stage}`, { answer, until: Date.now() + warmedUpMs });
      return answer;
    });
    return Promise.allSettled(answers);
  };

async function versionOf(
  name: SecretName,
  manager: SecretsManagerClient,
  arn: string,
  stage: Stage,
): Promise<SecretVersion> {
  const { SecretString, CreatedDate } = await currentVersion(manager, arn, stage);
  // Reject an empty secret, because all deployments with an empty secret would have the same key.
  if (!SecretString) throw new InternalError('missingSecret', { secret: name });
  return { text: SecretString, createdAt: CreatedDate?.getTime() ?? 0 };
}

const readVersions = (manager: SecretsManagerClient, arn: string) => ({
  /** Reads both versions in two requests. Callers should cache the result for a few minutes. */
  async versions(): Promise<SecretVersions> {
    const [current, previous] = await Promise.all([
      versionOf('signing', manager, arn, 'AWSCURRENT'),
      versionOf('signing', manager, arn, 'AWSPREVIOUS').catch((error: unknown) => {
        if (!(error instanceof ResourceNotFoundException)) throw error;
        return undefined;
      }),
    ]);
    return { current, previous };
  },
});

const readText = (manager: SecretsManagerClient, arn: string) => ({
  /** Reads the value of the current version. Callers should cache the result for a few minutes. */
  text: async (): Promise<string> => (await versionOf('naming', manager, arn, 'AWSCURRENT')).text,
});

export const signingSecret = defineStore({
  name: 'signing',
  client: secretsManager,
  warmUp: warmUpStages('AWSCURRENT', 'AWSPREVIOUS'),
  permissions: { read: readVersions },
});

export const namingSecret = defineStore({
  name: 'naming',
  client: secretsManager,
  warmUp: warmUpStages('AWSCURRENT'),
  permissions: { read: readText },
});
