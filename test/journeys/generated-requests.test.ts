import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { type MadeUp, type Operation, requestsTo } from '../harness/generated-requests.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { dereferenced, errorCodesIn } from '../harness/openapi-document.ts';
import { seedOf } from '../harness/random.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

// `GENERATED_REQUESTS=5000 npx vitest run test/journeys/generated-requests.test.ts` generates more requests, and
// `GENERATED_SEED=2` generates different requests. The same seed and count always produce the same requests, except for
// the generated ids.
const wanted = Number(process.env.GENERATED_REQUESTS ?? 300);
const seed = seedOf('GENERATED_SEED');
const again = `to repeat this run: GENERATED_SEED=${seed} GENERATED_REQUESTS=${wanted}`;

// Uses a separate stack because the generated subscriptions have invented addresses.
const { world } = await openSeparateWorld();
leavesNoErrors(world);

const description = dereferenced(
  (await (await fetch(`${world.outputs.baseUrl}/v1/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  },
);
const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);
ajv.addSchema({ ...description, $id: 'openapi' });
const pointer = (...steps: string[]) =>
  steps.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const topic = await world.newTopic('CR');
const { subscription } = await world.newSubscriber(topic);
const messageId = await world.publish(topic, { source: 'CRVS' });
const uin = (await world.call(generateUin, { body: { firstName: 'Inés', gender: 2 } })).json;
// The ids of existing data, which replace the example ids in the OpenAPI file.
const held: Readonly<Record<string, string>> = { uin, uuid: subscription.uuid, messageId };
const ends = ['unsubscribe', 'deleteTopic'];
const heldBy = ({ operationId, parameters, ...rest }: Operation): Operation => ({
  ...rest,
  operationId,
  parameters: parameters.map((one) => {
    const value = one.in === 'path' && !ends.includes(operationId) ? held[one.name] : undefined;
    return value === undefined || one.example === topic.name ? one : { ...one, example: value };
  }),
});

const methods = Object.entries(description.paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, operation]) => requestsTo(path, method, heldBy(operation))),
);

async function send({ method, target, headers, body }: MadeUp) {
  const response = await fetch(`${world.outputs.baseUrl}${target}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${world.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const text = await response.text();
  return { status: response.status, type, headers: response.headers, text };
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Returns how a response deviates from the OpenAPI description, or undefined if it does not. */
function wrongIn({ path, method }: MadeUp, { status, type, headers, text }: Answer): string | undefined {
  // A generated path may match no route, or match another operation's route.
  if (status === 404 && JSON.parse(text || '{"code":1404}').code === 1404) return undefined;
  const operation = description.paths[path]?.[method];
  const declared = operation?.responses[status];
  if (status >= 500 || operation === undefined || declared === undefined) return `status ${status}`;
  const missing = Object.entries(declared.headers ?? {}).filter(
    ([name, { required }]) => required && !headers.has(name),
  );
  if (missing.length > 0) return `no header ${missing.map(([name]) => name)}`;
  if (text === '' || method === 'head') return undefined;
  if (declared.content?.[type] === undefined) return `content type ${type}`;
  if (status >= 400 && type === 'application/json' && !errorCodesIn(operation).includes(JSON.parse(text).code))
    return 'an error code that the operation does not list';
  const { schema } = declared.content[type];
  if (schema === undefined || type !== 'application/json') return undefined;
  const at = pointer('paths', path, method, 'responses', String(status), 'content', type, 'schema');
  const validate = ajv.getSchema(`openapi#${encodeURI(at)}`);
  return validate?.(JSON.parse(text)) ? undefined : `body ${ajv.errorsText(validate?.errors)}`;
}

test('generated requests get only documented responses and cause no internal errors', async () => {
  const requests = fc.sample(fc.oneof(...methods), { numRuns: wanted, seed });
  const counts = new Map<number, number>();
  const wrong: string[] = [];
  for (const request of requests) {
    const answer = await send(request);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    const what = wrongIn(request, answer);
    if (what !== undefined)
      wrong.push(`${request.method} ${request.target.slice(0, 200)}: ${what}; ${answer.text.slice(0, 200)}`);
  }
  const sorted = [...counts].sort(([one], [other]) => one - other);
  console.log(`${wanted} requests: ${sorted.map(([status, count]) => `${count} of ${status}`).join(', ')}`);
  expect(wrong, again).toEqual([]);
  expect(counts.get(200) ?? 0, again).toBeGreaterThan(wanted / 10);
  expect(counts.get(400) ?? 0, again).toBeGreaterThan(wanted / 10);
}, 3_600_000);
