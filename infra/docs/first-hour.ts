import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { listDeliveries } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import {
  confirmSubscription,
  readSubscription,
  subscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { createTopic, publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { requestHeaders } from '../../shared/delivery/http/http-sender.ts';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { signer } from '../../shared/delivery/signing/signature.ts';
import { type ComposedMessage, composeMessage } from '../../shared/domain/deliveries/compose-message.ts';
import type { Content } from '../../shared/domain/deliveries/message.ts';

const baseUrl = 'https://registry.example.org';
const { uuid, address } = subscribe.replies[200].example as { uuid: string; address: string };
const topic = createTopic.replies[200].example as { uuid: string; name: string };
const { messageId } = publishEvent.replies[200].example as { messageId: string };
const publishedBody = JSON.stringify(publishEvent.request.body.example);

/** The time at which the examples were sent and signed. */
export const exampleTime = '2026-11-20T08:00:00.000Z';
export const exampleKey = signingKey('the examples in functions/README.md');
const sign = signer({ keys: async () => [exampleKey], hasHmac: false, now: () => Date.parse(exampleTime) });

const compose = (content: Content, body = '') =>
  composeMessage(content, Buffer.from(body).toString('base64'), { baseUrl, deliveryFormat: 'raw' });
const common = { topicUuid: topic.uuid, topicName: topic.name, timestamp: exampleTime };

export const exampleConfirmation = compose({
  ...common,
  type: 'SubscriptionConfirmation',
  messageId: '01940b6e-1c2d-7b3a-9f40-5e6d7c8b9a01',
  token: confirmSubscription.request.query.token.example,
});
export const exampleEvent = compose(
  {
    ...common,
    type: 'Notification',
    messageId,
    generation: topic.uuid,
    subject: publishEvent.request.query.subject.example,
    contentType: 'application/json',
    bodyBase64: '',
  },
  publishedBody,
);
export const exampleRecipient = { uuid, address };

const fence = (language: string, lines: readonly string[]): string => [`\`\`\`${language}`, ...lines, '```'].join('\n');

function urlOf({ path, request }: Endpoint, queryNames: readonly string[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(request.path?.[name]?.example));
  const query = queryNames.map((name) => `${name}=${encodeURI(String(request.query?.[name]?.example))}`);
  return `$BASE${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** Formats an example as JSON. A list has one line for each entry. */
const jsonOf = (example: unknown): string =>
  Array.isArray(example) ? `[${example.map((one) => JSON.stringify(one)).join(',\n ')}]` : JSON.stringify(example);

/** Returns a request and its response, with the example values of the contract. */
function callOf(endpoint: Endpoint, queryNames: readonly string[] = []): string {
  const { method, request, replies } = endpoint;
  const [reply] = Object.values(replies);
  const body = request.body === undefined ? '' : `-d '${JSON.stringify(request.body.example)}' `;
  const verb = method === 'GET' || body !== '' ? '' : `-X ${method} `;
  const sent = `curl -H "Authorization: Bearer $TOKEN" ${verb}${body}"${urlOf(endpoint, queryNames)}"`;
  const received = reply?.kind === 'json' ? jsonOf(reply.example) : '';
  return `${fence('sh', [sent])}\n\n${fence('json', [received])}`;
}

/** Returns the HTTP request that a receiver gets when a message is delivered. */
async function arrivalOf(message: ComposedMessage): Promise<string> {
  const { host, pathname } = new URL(address);
  const headers = {
    host,
    ...requestHeaders(message, await sign(message), uuid),
    'content-length': message.body.length,
  };
  return fence('http', [
    `POST ${pathname} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    message.body.toString('utf8'),
  ]);
}

const steps: readonly Endpoint[] = [createTopic, subscribe, generateUin, publishEvent, readSubscription];
const scopes = [...new Set(steps.flatMap((endpoint) => endpoint.scopes))].join(' ');

/** The examples in functions/README.md, by the names of their markers. */
export const firstHour: Readonly<Record<string, string>> = {
  token: fence('sh', [
    `BASE=${baseUrl}`,
    `SCOPES='${scopes}'`,
    'curl -u "$CLIENT:$SECRET" -d grant_type=client_credentials -d "scope=$SCOPES" https://issuer.example.org/token',
  ]),
  topic: callOf(createTopic, ['name', 'title']),
  subscribe: callOf(subscribe, ['topic', 'address']),
  confirmation: await arrivalOf(exampleConfirmation),
  confirm: callOf(confirmSubscription, ['token']),
  register: callOf(generateUin),
  publish: callOf(publishEvent, ['subject']),
  event: await arrivalOf(exampleEvent),
  keys: fence('json', [JSON.stringify({ keys: [exampleKey.publicKey] })]),
  deliveries: callOf(listDeliveries),
};
