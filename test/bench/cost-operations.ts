import { fileOf } from '../../infra/functions-list.ts';
import { costOf, type PricedItem } from '../../infra/prices.ts';
import { listDeliveries } from '../../shared/contract/endpoints/deliveries.ts';
import {
  findPersons,
  generateUin,
  matchPerson,
  readPerson,
  verifyPerson,
} from '../../shared/contract/endpoints/persons.ts';
import { listSubscriptions, readSubscription, subscribe } from '../../shared/contract/endpoints/subscriptions.ts';
import { createTopic, listTopics, publishEvent } from '../../shared/contract/endpoints/topics.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { accessLogBytes } from '../simulation/scale/costs.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { addressOf } from '../simulation/scale/receivers.ts';
import { seedSubscribers, seedTopic } from '../simulation/scale/seeding.ts';
import { openWorld, startAt, type World } from '../simulation/scale/world.ts';
import { apiEvent } from '../support/lambda-events.ts';

/** Dollars of a million requests. */
export interface OperationCost {
  readonly operation: string;
  readonly million: number;
  /** Calls of DynamoDB that a request makes; undefined where what follows is counted, too. */
  readonly calls: number | undefined;
}

const asked = 200;
// What API Gateway sends beside a body. About.
const answerHeadBytes = 400;

type Endpoint = Parameters<typeof fileOf>[0] & {
  readonly operation: string;
  readonly runsOn?: { readonly memoryMegabytes: number };
};

async function functionOf(endpoint: Endpoint): Promise<FunctionFacts> {
  const { href } = new URL(`../../functions/${fileOf(endpoint)}.ts`, import.meta.url);
  const { handler } = (await import(href)) as Pick<FunctionFacts, 'handler'>;
  const memory = endpoint.runsOn === undefined ? {} : { memoryMegabytes: endpoint.runsOn.memoryMegabytes };
  return { name: endpoint.operation, timeoutMs: 29_000, handler, ...memory };
}

type Given = NonNullable<Parameters<typeof apiEvent>[0]>;

/** Asks once, and answers the body. @throws where it is refused */
async function ask({ platform }: World, facts: FunctionFacts, given: Given): Promise<string> {
  const ending = await platform.invoke(facts, apiEvent(given));
  const answer = ending.is === 'answered' ? (ending.answer as { statusCode: number; body: string }) : undefined;
  if (answer === undefined || answer.statusCode >= 300) throw new Error(`${facts.name}: ${answer?.body ?? ending.is}`);
  return answer.body;
}

/**
 * Asks so often, and answers what one request took.
 * @param given by the number of the request
 * @param afterMs for how long what follows in other functions counts, too; 0: nothing of that
 */
async function cost(
  world: World,
  endpoint: Endpoint,
  given: Given | ((number: number) => Given),
  afterMs = 0,
): Promise<OperationCost> {
  const { bill, clock } = world;
  const facts = await functionOf(endpoint);
  const asking = (number: number) => ask(world, facts, typeof given === 'function' ? given(number) : given);
  const taken = () => {
    const own = bill.details().filter(({ by }) => afterMs > 0 || by === facts.name);
    const sum = (item: PricedItem) => own.filter((one) => one.item === item).reduce((all, { count }) => all + count, 0);
    const items = [...new Set(own.map(({ item }) => item))];
    return items.reduce((dollars, item) => dollars + costOf(item, sum(item)), 0);
  };
  const callsNow = () =>
    [...bill.calls].reduce((all, [name, count]) => (name.startsWith('DynamoDB') ? all + count : all), 0);
  // The first one starts a copy, and prepares what later ones find.
  let body = await asking(0);
  if (afterMs > 0) await clock.sleep(afterMs);
  const [before, callsBefore] = [taken(), callsNow()];
  for (let count = 1; count <= asked; count++) body = await asking(count);
  const calls = afterMs > 0 ? undefined : Math.round((callsNow() - callsBefore) / asked);
  if (afterMs > 0) await clock.sleep(afterMs);
  const api =
    costOf('API Gateway requests', 1) +
    costOf('CloudWatch Logs GB', accessLogBytes / 2 ** 30) +
    costOf('data out GB', (body.length + answerHeadBytes) / 2 ** 30);
  const million = ((taken() - before) / asked + api) * 1e6;
  return { operation: endpoint.operation, million, calls };
}

const person = { firstName: 'Inés', lastName: 'García', dateOfBirth: '2024-02-29', placeOfBirth: 'Málaga', gender: 2 };

async function costs(world: World): Promise<OperationCost[]> {
  // Of somebody else each: a search finds one.
  const other = JSON.stringify({ ...person, lastName: 'Müller' });
  const mint = await cost(world, generateUin, { method: 'POST', body: other });
  const facts = await functionOf(generateUin);
  const minted = await world.platform.invoke(facts, apiEvent({ method: 'POST', body: JSON.stringify(person) }));
  const uin = JSON.parse((minted as { answer: { body: string } }).answer.body) as string;
  const path = { uin };
  const verified = [{ attributeName: 'dateOfBirth', operator: '<', value: '2025-01-01' }];
  return [
    mint,
    await cost(world, findPersons, { query: 'lastName=García&dateOfBirth=2024-02-29' }),
    await cost(world, readPerson, { path, query: 'attributeNames=firstName&attributeNames=lastName' }),
    await cost(world, matchPerson, { path, method: 'POST', body: JSON.stringify({ firstName: 'Ana' }) }),
    await cost(world, verifyPerson, { path, method: 'POST', body: JSON.stringify(verified) }),
    await cost(world, createTopic, { method: 'POST', query: 'name=births' }),
    await cost(world, listTopics, {}),
    ...(await ofSubscriptions(world)),
  ];
}

// The sweeper's looks of that time, a minute each, are shared by all requests.
const minuteMs = 60_000;

/** A subscriber who got twenty events, and reads of them. */
async function ofSubscriptions(world: World): Promise<OperationCost[]> {
  const { dynamodb, clock, chance } = world;
  const table = dynamodb.tables.table('subscriptions');
  const topic = seedTopic(dynamodb.tables.table('topics'));
  const options = readScaleOptions(['--subscribers=1']);
  seedSubscribers(table, topic, { ...options, now: startAt }, chance.fork(), () => {});
  const path = { uuid: String([...table.items()][0]?.uuid?.S) };
  const publish = await functionOf(publishEvent);
  const event = { method: 'POST', path: { uuid: topic.uuid }, body: JSON.stringify({ source: 'CR' }) };
  for (let count = 0; count < 20; count++) await ask(world, publish, event);
  await clock.sleep(minuteMs);
  const read = [
    await cost(world, readSubscription, { path }),
    await cost(world, listSubscriptions, {}),
    await cost(world, listDeliveries, { path }),
  ];
  // Each another client's and host's, so that no limit is met; and each is asked to confirm.
  const subscribing = (number: number): Given => {
    const address = encodeURIComponent(addressOf(number + 1));
    return { method: 'POST', query: `topic=${topic.uuid}&address=${address}`, caller: `client-${number}` };
  };
  return [await cost(world, subscribe, subscribing, minuteMs), ...read];
}

/** What a request of each operation costs, by calls that were counted in the simulator; without the authorizer, whose answers are kept. */
export async function costOfOperations(): Promise<OperationCost[]> {
  const world = await openWorld({ ...readScaleOptions(['--subscribers=1']), events: 0 });
  try {
    const working = costs(world);
    const ended = working.then(
      () => true,
      () => true,
    );
    // The simulation's time passes only while somebody lets it.
    for (let until = startAt; !(await Promise.race([ended, false])); until += 5000) await world.clock.run({ until });
    return await working;
  } finally {
    world.close();
  }
}
