import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { type MadeUp, type Operation, requestsTo } from '../harness/generated-requests.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { dereferenced } from '../harness/openapi-document.ts';
import { seedOf } from '../harness/random.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { readServedDocuments } from '../harness/served-documents.ts';

// `npm test` sends 100 requests, `npm run test:rest` 1,500, and `npm run test:nightly` 5,000. `GENERATED_SEED=2`
// generates different requests. With the same seed and count, the requests are always the same, except for the generated IDs.
const wanted = Number(process.env.GENERATED_REQUESTS ?? 300);
const seed = seedOf('GENERATED_SEED');
const again = `to repeat this run: GENERATED_SEED=${seed} GENERATED_REQUESTS=${wanted}`;

// This test uses a separate stack because the generated subscriptions have invented addresses.
const { world } = await openSeparateWorld();
leavesNoErrors(world);

const { baseUrl } = world.outputs;
const deviationOf = await readServedDocuments(baseUrl);
const description = dereferenced(
  (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  },
);

const topic = await world.newTopic('CR');
const { subscription } = await world.newSubscriber(topic);
const messageId = await world.publish(topic, { source: 'CRVS' });
const uin = (await world.call(generateUin, { body: { firstName: 'Inés', gender: 2 } })).json;
// The IDs of existing data, with which the test replaces the example IDs in the OpenAPI file.
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

/** Sends a request. Returns the status, and how the request and the response deviate from the OpenAPI files. */
async function send({ method, target, headers: given, body }: MadeUp) {
  const headers = { authorization: `Bearer ${world.token}`, ...given };
  const sent = { method: method.toUpperCase(), headers };
  const response = await fetch(baseUrl + target, { ...sent, ...(body === undefined ? {} : { body }) });
  const { status } = response;
  const reply = { status, headers: Object.fromEntries(response.headers), body: await response.text() };
  const deviation = deviationOf({ ...sent, path: target, body: Buffer.from(body ?? []).toString() }, reply);
  return { status, deviation: deviation && `${method} ${target}: ${deviation}; ${reply.body}`.slice(0, 500) };
}

test('generated requests receive only documented responses and cause no internal errors', async () => {
  const requests = fc.sample(fc.oneof(...methods), { numRuns: wanted, seed });
  const counts = new Map<number, number>();
  const deviations: string[] = [];
  for (const request of requests) {
    const { status, deviation } = await send(request);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (deviation !== undefined) deviations.push(deviation);
  }
  const sorted = [...counts].sort(([one], [other]) => one - other);
  console.log(`${wanted} requests: ${sorted.map(([status, count]) => `${count} of ${status}`).join(', ')}`);
  expect(deviations, again).toEqual([]);
  expect(counts.get(200) ?? 0, again).toBeGreaterThan(wanted / 10);
  expect(counts.get(400) ?? 0, again).toBeGreaterThan(wanted / 10);
}, 3_600_000);
