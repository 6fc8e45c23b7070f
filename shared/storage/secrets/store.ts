import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { defineStore } from '../../contract/define-store.ts';
import type { SecretName } from '../../contract/secrets.ts';
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

type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

const readVersion = (manager: SecretsManagerClient, arn: string, stage: Stage) =>
  manager.send(new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }));

/** Milliseconds for which a version that priming has read is as good as new: the first request follows at once. */
const primedMs = 10_000;
const primed = new Map<string, { readonly answer: ReturnType<typeof readVersion>; readonly until: number }>();

/** A version that priming has just read, once; else anew. One that is missing is missing, what failed otherwise is asked again. */
async function takeVersion(manager: SecretsManagerClient, arn: string, stage: Stage) {
  const key = `${arn} ${stage}`;
  const found = primed.get(key);
  primed.delete(key);
  if (found === undefined || found.until <= Date.now()) return readVersion(manager, arn, stage);
  return found.answer.catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) throw error;
    return readVersion(manager, arn, stage);
  });
}

const primeStages =
  (...stages: readonly Stage[]) =>
  async (manager: SecretsManagerClient, arn: string): Promise<void> => {
    const answers = stages.map((stage) => {
      const answer = readVersion(manager, arn, stage);
      primed.set(`${arn} ${stage}`, { answer, until: Date.now() + primedMs });
      return answer;
    });
    await Promise.allSettled(answers);
  };

const versionOf = (name: SecretName, manager: SecretsManagerClient, arn: string) => {
  return async (stage: Stage): Promise<SecretVersion> => {
    const value = await takeVersion(manager, arn, stage);
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

export const signingSecret = defineStore({
  name: 'signing',
  client: secretsManager,
  prime: primeStages('AWSCURRENT', 'AWSPREVIOUS'),
  permissions: { read: rotated('signing') },
});

export const namingSecret = defineStore({
  name: 'naming',
  client: secretsManager,
  prime: primeStages('AWSCURRENT'),
  permissions: { read: lasting('naming') },
});
