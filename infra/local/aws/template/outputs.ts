import type { Service } from '../emulators/aws-call.ts';
import type { Issuer } from '../emulators/issuer.ts';
import type { Runtime } from '../functions/runtime.ts';
import { account } from './identifiers.ts';
import type { Stack } from './stack.ts';

type ByConstructId = Record<string, string>;

/** Where everything is, and what it is called: what callers and tests need to know of a running stack. */
export interface LocalOutputs {
  /** Of the process that runs the stack. */
  processId: number;
  baseUrl: string;
  issuer: string;
  tokenUrl: string;
  inboxUrl: string;
  dynamodbEndpoint: string;
  sqsEndpoint: string;
  s3Endpoint: string;
  sesEndpoint: string;
  /** Of the suppression list. */
  sesv2Endpoint: string;
  secretsManagerEndpoint: string;
  lambdaEndpoint: string;
  resources: {
    tables: ByConstructId;
    queues: ByConstructId;
    buckets: ByConstructId;
    secrets: ByConstructId;
    functions: ByConstructId;
  };
}

interface Addresses {
  baseUrl: string;
  issuer: Issuer;
  endpoints: Record<Service, string>;
  lambdaEndpoint: string;
}

export function describeOutputs(
  stack: Stack,
  runtime: Runtime,
  { baseUrl, issuer, endpoints, lambdaEndpoint }: Addresses,
): LocalOutputs {
  const byConstructId = (types: string[], describe = stack.nameOf): ByConstructId =>
    Object.fromEntries(stack.ofType(...types).map((resource) => [resource.constructId, describe(resource)]));
  return {
    processId: process.pid,
    baseUrl,
    issuer: issuer.url,
    tokenUrl: issuer.tokenUrl,
    inboxUrl: `${endpoints.ses}/`,
    dynamodbEndpoint: endpoints.dynamodb,
    sqsEndpoint: endpoints.sqs,
    s3Endpoint: endpoints.s3,
    sesEndpoint: endpoints.ses,
    sesv2Endpoint: endpoints.sesv2,
    secretsManagerEndpoint: endpoints.secretsmanager,
    lambdaEndpoint,
    resources: {
      // What the stack was given by name is no resource of it: its outputs name it.
      tables: {
        ...stack.outputsEnding('Table'),
        ...byConstructId(['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable']),
      },
      queues: byConstructId(['AWS::SQS::Queue'], (queue) => `${endpoints.sqs}/${account}/${stack.nameOf(queue)}`),
      buckets: { ...stack.outputsEnding('Bucket'), ...byConstructId(['AWS::S3::Bucket']) },
      secrets: { ...stack.outputsEnding('Secret'), ...byConstructId(['AWS::SecretsManager::Secret'], stack.arnOf) },
      functions: Object.fromEntries(runtime.functions.map(({ constructId, name }) => [constructId, name])),
    },
  };
}
