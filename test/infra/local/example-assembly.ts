// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are for CloudFormation
import { createAssembly, packageUrl } from './assembly.ts';

const api = `
import { GetObjectCommand, S3Client } from '${packageUrl('@aws-sdk/client-s3')}';
import { DynamoDBClient, GetItemCommand, PutItemCommand, DeleteItemCommand } from '${packageUrl('@aws-sdk/client-dynamodb')}';
const dynamodb = new DynamoDBClient({ maxAttempts: 1 });
const TableName = process.env.TABLE;
const commands = {
  put: ({ id }) => new PutItemCommand({ TableName, Item: { id: { S: id } } }),
  get: ({ id }) => new GetItemCommand({ TableName, Key: { id: { S: id } } }),
  delete: ({ id }) => new DeleteItemCommand({ TableName, Key: { id: { S: id } } }),
};
export const handler = async (event) => {
  if (event.bucket) {
    const reply = await new S3Client().send(new GetObjectCommand({ Bucket: event.bucket, Key: event.key }));
    return reply.Body.transformToString();
  }
  if (event.do) {
    const { Item } = await dynamodb.send(commands[event.do](event));
    return Item ?? null;
  }
  const { action } = event.pathParameters ?? {};
  if (action === 'throw') throw new Error('no');
  if (action === 'malformed') return { hello: 1 };
  if (action === 'empty') return { statusCode: 204, headers: { 'content-type': null } };
  if (action === 'sleep') await new Promise((go) => setTimeout(go, 2000));
  if (action === 'bytes') return { statusCode: 200, body: 'AP8=', isBase64Encoded: true, headers: { 'Content-Type': 'image/png' } };
  return { statusCode: 200, multiValueHeaders: { 'X-Two': ['1', '2'] }, body: JSON.stringify(event) };
};`;

const authorize = `let calls = 0;
export const handler = async ({ authorizationToken, methodArn }) => {
  if (authorizationToken === 'unknown') throw new Error('Unauthorized');
  if (authorizationToken === 'broken') throw new Error('no keys');
  calls += 1;
  const Effect = authorizationToken === 'denied' ? 'Deny' : 'Allow';
  const Statement = [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn.split('/').slice(0, 3).join('/') + '/*' }];
  return { principalId: 'someone', policyDocument: { Version: '2012-10-17', Statement }, context: { calls } };
};`;

const stream = `
const wait = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const { action } = event.pathParameters;
  if (action === 'throw') throw new Error('no');
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': '3' };
  const body = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers });
  body.write('one');
  await wait(300);
  if (action === 'break') throw new Error('late');
  body.end(action === 'large' ? Buffer.alloc(20_000_000, 'x') : 'two');
});`;

export const worker = `export const handler = async ({ Records }) => {
  for (const { body, messageAttributes } of Records) console.log('got', body, messageAttributes.kind?.stringValue);
  return { batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({ itemIdentifier: messageId })) };
};`;

/** Writes a stack with one resource of every type that the local stack runs. */
export function writeAssembly() {
  const assembly = createAssembly();
  assembly.add('persons', 'AWS::DynamoDB::GlobalTable', {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  });
  assembly.add('documents', 'AWS::S3::Bucket');
  assembly.add('dead', 'AWS::SQS::Queue');
  const deadLetterTargetArn = { 'Fn::GetAtt': ['dead', 'Arn'] };
  const RedrivePolicy = { deadLetterTargetArn, maxReceiveCount: 2 };
  assembly.add('jobs', 'AWS::SQS::Queue', { VisibilityTimeout: 1, RedrivePolicy });
  const tableArn = { 'Fn::GetAtt': ['persons', 'Arn'] };
  assembly.addFunction('api', api, {
    properties: {
      Timeout: 10,
      MemorySize: 256,
      Environment: { Variables: { TABLE: { Ref: 'persons' }, OIDC_ISSUER: 'https://cloud.example' } },
    },
    statements: [
      { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: tableArn },
      { Effect: 'Allow', Action: 's3:GetObject', Resource: { 'Fn::Sub': '${documents.Arn}/open/*' } },
    ],
  });
  assembly.permit('api');
  assembly.addFunction('stream', stream, { properties: { MemorySize: 256, Timeout: 30 } });
  assembly.permit('stream');
  assembly.addFunction('unpermitted', api);
  assembly.addFunction('authorize', authorize);
  assembly.addFunction('work', worker, {
    statements: [{ Effect: 'Allow', Action: 'sqs:*', Resource: { 'Fn::GetAtt': ['jobs', 'Arn'] } }],
  });
  assembly.add('Mapping', 'AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': ['jobs', 'Arn'] },
    FunctionName: { Ref: 'work' },
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  assembly.add('authorizer', 'AWS::ApiGateway::Authorizer', {
    Type: 'TOKEN',
    AuthorizerUri: assembly.invocationUri('authorize'),
    IdentitySource: 'method.request.header.Authorization',
    AuthorizerResultTtlInSeconds: 60,
  });
  assembly.addApi({
    'GET /open/{action}': { target: 'api' },
    'GET /stream/{action}': { target: 'stream', isStreaming: true },
    'GET /brief/{action}': { target: 'stream', isStreaming: true, integration: { TimeoutInMillis: 300 } },
    'GET /stream/plain': { target: 'api', isStreaming: true },
    'GET /open/fixed': { target: 'unpermitted' },
    'GET /late/{action}': { target: 'api', integration: { TimeoutInMillis: 50 } },
    'ANY /guarded/{rest+}': { target: 'api', authorizer: 'authorizer' },
  });
  return assembly.write();
}
