import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretName } from '../../contract/secrets.ts';
import { defineStore } from '../../contract/store.ts';
import { Fault } from '../../model/faults.ts';

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
  client ??= new SecretsManagerClient({});
  return client;
};

const readOf = (name: SecretName) => (manager: SecretsManagerClient, arn: string) => {
  async function version(stage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<SecretVersion | undefined> {
    try {
      const value = await manager.send(new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }));
      return { text: value.SecretString ?? '', createdAt: value.CreatedDate?.getTime() ?? 0 };
    } catch (error) {
      if (stage === 'AWSPREVIOUS' && error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  return {
    /** Both versions, from Secrets Manager: two calls, so keep the answer for some minutes. */
    async versions(): Promise<SecretVersions> {
      const [current, previous] = await Promise.all([version('AWSCURRENT'), version('AWSPREVIOUS')]);
      if (current === undefined) throw new Fault('missingSecret', { secret: name });
      return { current, previous };
    },
  };
};

const secret = <const Name extends SecretName>(name: Name) =>
  defineStore({ name, client: secretsManager, permissions: { read: readOf(name) } });

export const signingSecret = secret('signing');
