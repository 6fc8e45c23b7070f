import { account, region } from '../template/identifiers.ts';
import type { AccessRequest } from '../template/policy.ts';

export type Service = 'dynamodb' | 'sqs' | 's3' | 'ses' | 'sesv2' | 'secretsmanager';

interface AwsCall {
  functionName: string;
  service: Service;
  action: string;
  needs: AccessRequest[];
  body: string;
}

export interface AwsResponse {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: listeners that only count calls return nothing
type ListenerResult = AwsResponse | undefined | void;

/**
 * The proxy calls this listener for every AWS call that a function makes. If the listener returns a response, the proxy
 * sends that response and does not forward the call.
 */
export type AwsCallListener = (call: AwsCall) => ListenerResult | Promise<ListenerResult>;

interface RawCall {
  service: Service;
  method: string;
  url: string;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}

interface RecognizedCall {
  action: string;
  needs: AccessRequest[];
}

const tableArn = (name: string) =>
  name.startsWith('arn:') ? name : `arn:aws:dynamodb:${region}:${account}:table/${name}`;

const transactionActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

interface DynamodbBody {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
}

function dynamodbNeeds(operation: string, body: DynamodbBody): AccessRequest[] {
  const need = (action: string, resource: string) => ({ action: `dynamodb:${action}`, resources: [resource] });
  // A DynamoDB transaction has no IAM action of its own, but requires permission for the operation on each of its
  // items.
  if (body.TransactItems) {
    return body.TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, { TableName }]) =>
        need(transactionActions[kind] ?? operation, tableArn(TableName)),
      ),
    );
  }
  if (body.RequestItems) return Object.keys(body.RequestItems).map((table) => need(operation, tableArn(table)));
  const table = body.TableName ? tableArn(body.TableName) : '*';
  return [need(operation, body.IndexName ? `${table}/index/${body.IndexName}` : table)];
}

function sqsNeeds(operation: string, body: { QueueUrl?: string; QueueName?: string }): AccessRequest[] {
  const queue = body.QueueUrl?.split('/').at(-1) ?? body.QueueName ?? '*';
  const action = `sqs:${operation.replace(/Batch$/, '')}`;
  return [{ action, resources: [`arn:aws:sqs:${region}:${account}:${queue}`] }];
}

function s3Operation(method: string, key: string, query: URLSearchParams): string {
  if (query.has('versionId')) return method === 'DELETE' ? 's3:DeleteObjectVersion' : 's3:GetObjectVersion';
  if (query.has('versions')) return 's3:ListBucketVersions';
  if (method === 'POST') return query.has('delete') ? 's3:DeleteObject' : 's3:PutObject';
  if (method === 'PUT') return key ? 's3:PutObject' : 's3:CreateBucket';
  if (method === 'DELETE') return query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject';
  return key ? 's3:GetObject' : 's3:ListBucket';
}

function s3Needs({ method, url, headers }: RawCall): AccessRequest[] {
  const { pathname, searchParams } = new URL(url, 'http://local');
  const [bucket = '', ...rest] = pathname.slice(1).split('/');
  const key = decodeURIComponent(rest.join('/'));
  const action = s3Operation(method, key, searchParams);
  const isOnBucket = action.startsWith('s3:ListBucket') || action === 's3:CreateBucket';
  const resources = [`arn:aws:s3:::${bucket}${isOnBucket ? '' : `/${key || '*'}`}`];
  const prefix = searchParams.get('prefix');
  const isPart = action === 's3:PutObject' && (searchParams.has('uploadId') || searchParams.has('uploads'));
  // Uploading an object with tags requires s3:PutObjectTagging in addition to s3:PutObject.
  const isTagging = action === 's3:PutObject' && headers['x-amz-tagging'] !== undefined;
  // Copying an object also requires permission to read the source object, which the `x-amz-copy-source` header names.
  const source = headers['x-amz-copy-source'];
  const copied = source === undefined ? undefined : `arn:aws:s3:::${decodeURIComponent(String(source))}`;
  return [
    ...(copied === undefined ? [] : [{ action: 's3:GetObject', resources: [copied] }]),
    { action, resources, ...(prefix === null ? {} : { keys: { 's3:prefix': [prefix] } }), ...(isPart && { isPart }) },
    ...(isTagging ? [{ action: 's3:PutObjectTagging', resources }] : []),
  ];
}

function sesNeeds(form: URLSearchParams): AccessRequest[] {
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64').toString('latin1');
  const sender = form.get('Source') ?? raw.match(/^From:\s*(.+)$/im)?.[1] ?? '';
  const address = (sender.match(/<([^>]+)>/)?.[1] ?? sender).trim();
  const identity = (name: string) => `arn:aws:ses:${region}:${account}:identity/${name}`;
  const action = `ses:${form.get('Action')}`;
  const keys = { 'ses:FromAddress': [address] };
  // Sending an email requires a grant for the SES identity of the sender's address or of that address's domain. Using a
  // configuration set requires a separate grant.
  const sets = form.getAll('ConfigurationSetName');
  return [
    { action, resources: [identity(address), identity(address.split('@').at(-1) ?? '')], keys },
    ...sets.map((name) => ({
      action,
      resources: [`arn:aws:ses:${region}:${account}:configuration-set/${name}`],
      keys,
    })),
  ];
}

const suppressionActions: Record<string, string> = { PUT: 'Put', GET: 'Get', DELETE: 'Delete' };

function sesV2Needs(method: string): AccessRequest[] {
  const action = `ses:${suppressionActions[method] ?? 'Unknown'}SuppressedDestination`;
  return [{ action, resources: ['*'], keys: { 'aws:RequestedRegion': [region] } }];
}

function needsOf(call: RawCall): AccessRequest[] {
  if (call.service === 's3') return s3Needs(call);
  if (call.service === 'sesv2') return sesV2Needs(call.method);
  const text = call.body.toString('utf8');
  if (call.service === 'ses') return sesNeeds(new URLSearchParams(text));
  const operation =
    String(call.headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? '';
  const body = JSON.parse(text || '{}');
  if (call.service === 'secretsmanager') {
    return [{ action: `secretsmanager:${operation}`, resources: [String(body.SecretId)] }];
  }
  return call.service === 'sqs' ? sqsNeeds(operation, body) : dynamodbNeeds(operation, body);
}

export function recognize(call: RawCall): RecognizedCall {
  const needs = needsOf(call);
  const target = String(call.headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1);
  const action = target ? `${call.service}:${target}` : (needs[0]?.action ?? `${call.service}:unknown`);
  return { action, needs };
}

/**
 * Returns the access key id from a SigV4 `Authorization` header. Locally, the access key id is the function's logical
 * id.
 */
export function callerOf(headers: NodeJS.Dict<string | string[]>): string | undefined {
  return String(headers.authorization ?? '').match(/Credential=([^/,\s]+)\//)?.[1];
}
