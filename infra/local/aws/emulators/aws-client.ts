import { Agent, request } from 'node:http';
import { region } from '../template/identifiers.ts';

export class AwsError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Calls an AWS operation in the JSON protocol, such as `DynamoDB_20120810.CreateTable`. */
export type AwsClient = <T>(target: string, input: unknown, signal?: AbortSignal) => Promise<T>;

/**
 * Creates a client for the emulators. The client does not need an AWS SDK, because each call is a single POST request.
 */
export function createAwsClient(endpoint: string): AwsClient & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(endpoint);
  const service = (target: string) => (target.startsWith('AmazonSQS') ? 'sqs' : 'dynamodb');

  const call = <T>(target: string, input: unknown, signal?: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      const body = JSON.stringify(input);
      const scope = `20260101/${region}/${service(target)}/aws4_request`;
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(body),
        'x-amz-target': target,
        'x-amz-date': '20260101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=stack/${scope}, SignedHeaders=host, Signature=0`,
      };
      const outgoing = request({
        agent,
        host: hostname,
        port,
        method: 'POST',
        path: '/',
        headers,
        ...(signal && { signal }),
      });
      outgoing.on('error', reject);
      outgoing.on('response', async (response) => {
        try {
          let text = '';
          response.setEncoding('utf8');
          for await (const chunk of response) text += chunk;
          const result = text ? JSON.parse(text) : {};
          if ((response.statusCode ?? 500) < 300) resolve(result as T);
          else {
            const code =
              String(result.__type ?? response.statusCode)
                .split('#')
                .at(-1) ?? 'Unknown';
            reject(new AwsError(code, String(result.message ?? result.Message ?? text)));
          }
        } catch (error) {
          reject(error);
        }
      });
      outgoing.end(body);
    });
  return Object.assign(call, { close: () => agent.destroy() });
}
