import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { dataStack, namesOf } from '../../../shared/contract/deployment-names.ts';
import type { DeploymentSettings } from '../../settings/settings.ts';
import { openDeployed } from '../deploy/deployed.ts';
import type { Place } from '../deploy/place.ts';
import { type Functions, openFunctions, physicalIdsOf } from '../functions.ts';
import type { RawTemplate } from '../release/assembly-stacks.ts';
import { type Addresses, addressesOf } from './intrinsics.ts';
import type { Shape } from './shapes.ts';
import type { Terminal } from './steps.ts';

export interface Clients {
  readonly cloudFormation: CloudFormationClient;
  readonly dynamodb: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly s3: S3Client;
  readonly secrets: SecretsManagerClient;
  readonly sqs: SQSClient;
}

/** The AWS clients, settings and commands that a restore uses. */
export interface Tools {
  readonly clients: Clients;
  readonly place: Place;
  readonly settings: DeploymentSettings;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly terminal: Terminal;
  /** Adds a restored resource to the `restored` setting in the stage's file. */
  readonly nameInStage: (store: string, resource: string) => Promise<void>;
  /** Runs `npm run deploy` with the given arguments. */
  readonly deploy: (args: readonly string[]) => Promise<void>;
}

/** The deployed stage, including everything that a restore reads or changes. */
export interface DeployedStage extends Tools {
  readonly stack: string;
  /** The functions of the service stack; undefined if the stage is not deployed. */
  readonly functions: Functions | undefined;
  /** The template of the data stack, and the physical ids of its resources by their logical ids. */
  readonly data: { readonly template: RawTemplate; readonly physicalIds: ReadonlyMap<string, string> };
  /** Returns the values to which references in the template of a stack resolve. */
  readonly addresses: (stack: DeployedStage['data']) => Promise<Addresses>;
  /** Reads an output of the service stack, such as the name of a table that the functions use. */
  readonly output: (name: string) => Promise<string | undefined>;
  readonly dataOutput: (name: string) => Promise<string | undefined>;
}

/** Returns undefined if the resource does not exist. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { name, message } = error as Error;
    if (/NotFound|NoSuch|DoesNotExist|NonExistent/.test(name) || /does not exist/.test(message)) return undefined;
    throw error;
  }
}

export async function readDeployedStage(tools: Tools): Promise<DeployedStage> {
  const { cloudFormation, lambda } = tools.clients;
  const { stack } = namesOf(tools.settings.stage);
  const deployed = openDeployed(cloudFormation);
  const ofData = dataStack(stack);
  return {
    ...tools,
    stack,
    functions: await unlessMissing(openFunctions(cloudFormation, lambda, stack)),
    data: {
      template: await deployed.template(ofData),
      physicalIds: (await unlessMissing(physicalIdsOf(cloudFormation, ofData))) ?? new Map(),
    },
    async addresses({ template, physicalIds }) {
      return addressesOf(template, physicalIds, new Map(await deployed.exports(ofData)), tools.place);
    },
    output: (name) => deployed.output(stack, name),
    dataOutput: (name) => deployed.output(ofData, name),
  };
}
