import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretName } from '../../contract/secrets.ts';
import { defineStore } from '../../contract/store.ts';
import { Fault } from '../../model/faults.ts';
import { answerWithin } from '../answer-within.ts';

/** One version of a secret. `createdAt` is epoch milliseconds. */
export interface SecretVersion {
  readonly text: string;
  readonly createdAt: number;
}

/** The version in force, and the one before it where there has been a rotation. */
export interface SecretVersions {
  readonly current: SecretVersion;
  readonly previous: SecretVersion | undefined;
}

/** The texts of both versions, the one in force first. */
export const versionTexts = ({ current, previous }: SecretVersions): string[] =>
  previous === undefined ? [current.text] : [current.text, previous.text];

let client: SecretsManagerClient | undefined;
const secretsManager = (): SecretsManagerClient => {
  client ??= new SecretsManagerClient({ requestHandler: answerWithin(3000) });
  return client;
};

const versionOf = (name: SecretName, manager: SecretsManagerClient, arn: string) => {
  return async (stage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<SecretVersion> => {
    const value = await manager.send(new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }));
    // A key made of nothing would be everybody's.
    if (!value.SecretString) throw new Fault('missingSecret', { secret: name });
    return { text: value.SecretString, createdAt: value.CreatedDate?.getTime() ?? 0 };
  };
};

const rotated = (name: SecretName) => (manager: SecretsManagerClient, arn: string) => {
  const version = versionOf(name, manager, arn);
  const unlessMissing = (error: unknown): undefined => {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  };
  return {
    /** Both versions, from Secrets Manager: two calls, so keep the answer for some minutes. */
    async versions(): Promise<SecretVersions> {
      const [current, previous] = await Promise.all([
        version('AWSCURRENT'),
        version('AWSPREVIOUS').catch(unlessMissing),
      ]);
      return { current, previous };
    },
  };
};

const lasting = (name: SecretName) => (manager: SecretsManagerClient, arn: string) => {
  const version = versionOf(name, manager, arn);
  return {
    /** The one text that it has, from Secrets Manager: keep it for some minutes. */
    text: async (): Promise<string> => (await version('AWSCURRENT')).text,
  };
};

const prime = async (manager: SecretsManagerClient, arn: string): Promise<void> => {
  await manager.send(new GetSecretValueCommand({ SecretId: arn }));
};

export const signingSecret = defineStore({
  name: 'signing',
  client: secretsManager,
  prime,
  permissions: { read: rotated('signing') },
});

export const namingSecret = defineStore({
  name: 'naming',
  client: secretsManager,
  prime,
  permissions: { read: lasting('naming') },
});
