import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetRandomPasswordCommand,
  GetResourcePolicyCommand,
  PutResourcePolicyCommand,
  RestoreSecretCommand,
  type Tag,
} from '@aws-sdk/client-secrets-manager';
import { OptionError } from '../command-line.ts';
import { textOf } from '../deploy/place.ts';
import { type DeployedStage, unlessMissing } from './deployed-stage.ts';
import { resolve } from './intrinsics.ts';
import type { RestoreOptions } from './options.ts';
import type { Plan, Step } from './steps.ts';
import { policySteps, switchStep } from './switch.ts';

interface SecretShape {
  readonly Description: string;
  readonly GenerateSecretString: { readonly PasswordLength: number; readonly ExcludePunctuation: boolean };
  readonly Tags: Tag[];
  readonly KmsKeyId?: string;
}

/** Returns the steps that create a deleted secret again with a new name. */
function newSecretSteps(stage: DeployedStage, store: string, file: string | undefined): Step[] {
  const { secrets } = stage.clients;
  const Name = `${stage.stack}-${store}-restored`;
  const { properties, policy } = stage.shapes.get(store) ?? { properties: {}, policy: undefined };
  const arnOf = async () => (await unlessMissing(secrets.send(new DescribeSecretCommand({ SecretId: Name }))))?.ARN;
  const switchTo = async () => switchStep(stage, store, (await arnOf()) ?? '', `${store}Secret`);
  const create: Step = {
    does: `create the secret ${Name} with ${file === undefined ? 'a new random value' : `the value in ${file}`}`,
    isDone: async () => (await arnOf()) !== undefined,
    async run() {
      const shape = resolve(properties, await stage.addresses(stage.data)) as unknown as SecretShape;
      const { PasswordLength, ExcludePunctuation } = shape.GenerateSecretString;
      const SecretString =
        file === undefined
          ? (await secrets.send(new GetRandomPasswordCommand({ PasswordLength, ExcludePunctuation }))).RandomPassword
          : (await readFile(file, 'utf8')).trim();
      const { Description, Tags, KmsKeyId } = shape;
      await secrets.send(new CreateSecretCommand({ Name, SecretString, Description, Tags, KmsKeyId }));
    },
  };
  const protect: Step = {
    does: "set the resource policy that protects the secret's value",
    async isDone() {
      const found = await unlessMissing(secrets.send(new GetResourcePolicyCommand({ SecretId: Name })));
      return isDeepStrictEqual(JSON.parse(found?.ResourcePolicy ?? '{}'), policy);
    },
    async run() {
      await secrets.send(new PutResourcePolicyCommand({ SecretId: Name, ResourcePolicy: JSON.stringify(policy) }));
    },
  };
  return [
    create,
    ...(policy === undefined ? [] : [protect]),
    {
      does: `switch to ${Name}: name its ARN in the setting restored, and deploy`,
      isDone: async () => (await arnOf()) !== undefined && (await (await switchTo()).isDone()),
      run: async () => (await switchTo()).run(),
    },
    ...policySteps(stage),
  ];
}

export async function secretPlan(stage: DeployedStage, { store, value }: RestoreOptions): Promise<Plan> {
  const { clients, settings, place, stack } = stage;
  const SecretId = await stage.output(`${store}Secret`);
  if (SecretId === undefined) throw new OptionError(`${stack} is not deployed`);
  const title = `Restore the secret ${store} of ${settings.stage} (${textOf(place)})`;
  const describe = () => unlessMissing(clients.secrets.send(new DescribeSecretCommand({ SecretId })));
  const found = await describe();
  if (found === undefined) {
    const consequences = `The consequences of a new value: infra/runbook/restore.md#a-secret`;
    return { title, steps: newSecretSteps(stage, store, value), notes: value === undefined ? [consequences] : [] };
  }
  if (value !== undefined) throw new OptionError(`--value: ${SecretId} still has its value, so omit this option`);
  const restore: Step = {
    does: `cancel the deletion of ${SecretId}`,
    isDone: async () => (await describe())?.DeletedDate === undefined,
    run: async () => void (await clients.secrets.send(new RestoreSecretCommand({ SecretId }))),
  };
  return { title, steps: [restore], notes: [] };
}
