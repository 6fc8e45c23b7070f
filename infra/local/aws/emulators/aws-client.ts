import { Agent, request } from 'node:http';
import { region } from '../template/identifiers.ts';

export class AwsError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Calls one operation of a JSON-protocol service: `DynamoDB_20120810.CreateTable`, `AmazonSQS.ReceiveMessage`. */
export type AwsClient = <T>(target: string, input: unknown, signal?: AbortSignal) => Promise<T>;

/** A protocol of one POST needs no SDK: this is how the local stack itself asks its emulators. */
export function createAwsClient(endpoint: string): AwsClient & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(endpoint);
  const service = (target: string) => (target.startsWith('AmazonSQS') ? 'sqs' : 'dynamodb');

  const call = <T>(target: string, input: unknown, signal?: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      const body = JSON.stringify(input);
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(body),
        'x-amz-target': target,
        'x-amz-date': '20260101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=stack/20260101/${region}/${service(target)}/aws4_request, SignedHeaders=host, Signature=0`,
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
          const answer = text ? JSON.parse(text) : {};
          if ((response.statusCode ?? 500) < 300) resolve(answer as T);
          else {
            const code =
              String(answer.__type ?? response.statusCode)
                .split('#')
                .at(-1) ?? 'Unknown';
            reject(new AwsError(code, String(answer.message ?? answer.Message ?? text)));
          }
        } catch (error) {
          reject(error);
        }
      });
      outgoing.end(body);
    });
  return Object.assign(call, { close: () => agent.destroy() });
}
