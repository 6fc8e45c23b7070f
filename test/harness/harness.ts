import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterAll, beforeAll } from 'vitest';
import { region } from '../../infra/local/aws/template/identifiers.ts';
import { type SecretName, secrets } from '../../shared/contract/secret-names.ts';
import { s3 } from '../../shared/storage/documents/objects.ts';
import { dynamo } from '../../shared/storage/dynamo.ts';
import { queues as queueStore } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { secretOfTests } from './builders.ts';
import { readConsole } from './console-lines.ts';
import { useSecrets } from './embedded.ts';
import { type AwsClient, type Interference, interfereWith } from './interference.ts';
import { apiEvent, context } from './lambda-events.ts';
import { type StoresOptions, useStores } from './stores.ts';
import { functionVariables, secretArn } from './variables.ts';

export type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Request = Parameters<typeof apiEvent>[0];

/** Calls an API function with an API Gateway event. Returns the response's status, JSON body and headers. */
async function call(handler: ApiHandler, request: Request) {
  const { statusCode, body, headers } = await handler(apiEvent(request), context);
  const json = body === '' ? undefined : JSON.parse(body);
  return { status: statusCode, json, headers, text: body + JSON.stringify(headers) };
}

/**
 * Sets up the tables, queues, secrets and environment variables of the functions in this process. Tests can inject
 * faults into AWS calls. Functions cache data in their modules, so test files that use this harness must not share
 * modules.
 */
export function useHarness({ onReset = () => {}, ...options }: StoresOptions = {}) {
  let between: Interference = {};
  const interference = (): Interference => between;
  const secretsManager = useSecrets(
    Object.fromEntries(Object.keys(secrets).map((name) => [secretArn(name as SecretName), secretOfTests])),
  );
  const stores = useStores({
    ...options,
    onReset() {
      between = {};
      onReset();
    },
  });
  const lines = readConsole();
  // The stores own the AWS clients, and all functions use these clients. `dynamodb.connect` handles the DynamoDB client.
  const others = [queueStore.client, s3, namingSecret.client] as (() => AwsClient)[];

  beforeAll(() => {
    Object.assign(process.env, functionVariables(options.settings ?? {}, stores), {
      AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodb.endpoint,
      AWS_ENDPOINT_URL_SQS: stores.sqs.endpoint,
      AWS_ENDPOINT_URL_S3: stores.sqs.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    stores.dynamodb.connect(dynamo(), interference);
    for (const client of others) interfereWith(client(), interference);
  });
  afterAll(() => {
    for (const client of [dynamo, ...others]) client().destroy();
  });

  return {
    ...stores,
    /** Console output by level. */
    lines,
    call,
    /** The current interference. */
    interference,
    /** Replaces the current interference. */
    interfere(next: Interference): void {
      between = next;
    },
    /** Interferes only while an action runs. Returns the action's result. */
    async interfereDuring<Result>(next: Interference, action: () => Promise<Result>): Promise<Result> {
      between = next;
      const result = await action();
      between = {};
      return result;
    },
    /** Records the commands of all later calls, and ends any other interference. */
    recordCalls(): string[] {
      const commands: string[] = [];
      between = {
        call({ command }, go) {
          commands.push(command);
          return go();
        },
      };
      return commands;
    },
  };
}

export type Harness = ReturnType<typeof useHarness>;
