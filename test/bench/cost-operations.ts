import { fileOf } from '../../infra/functions-list.ts';
import { costOf, type PricedItem } from '../../infra/prices.ts';
import {
  findPersons,
  generateUin,
  matchPerson,
  readPerson,
  verifyPerson,
} from '../../shared/contract/endpoints/persons.ts';
import { createTopic, listTopics } from '../../shared/contract/endpoints/topics.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { accessLogBytes } from '../simulation/scale/costs.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { openWorld, startAt, type World } from '../simulation/scale/world.ts';
import { apiEvent } from '../support/lambda-events.ts';

/** Dollars of a million requests. */
export interface OperationCost {
  readonly operation: string;
  readonly million: number;
  /** Calls of DynamoDB that a request makes. */
  readonly calls: number;
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

/** Asks so often, and answers what one request took. @throws where one is refused */
async function cost({ platform, bill }: World, endpoint: Endpoint, given: Given): Promise<OperationCost> {
  const facts = await functionOf(endpoint);
  const ask = async (): Promise<string> => {
    const ending = await platform.invoke(facts, apiEvent(given));
    const answer = ending.is === 'answered' ? (ending.answer as { statusCode: number; body: string }) : undefined;
    if (answer === undefined || answer.statusCode >= 300)
      throw new Error(`${facts.name}: ${answer?.body ?? ending.is}`);
    return answer.body;
  };
  const taken = () => {
    const own = bill.details().filter(({ by }) => by === facts.name);
    const sum = (item: PricedItem) => own.filter((one) => one.item === item).reduce((all, { count }) => all + count, 0);
    const items = [...new Set(own.map(({ item }) => item))];
    return items.reduce((dollars, item) => dollars + costOf(item, sum(item)), 0);
  };
  const callsNow = () =>
    [...bill.calls].reduce((all, [name, count]) => (name.startsWith('DynamoDB') ? all + count : all), 0);
  // The first one starts a copy, and prepares what later ones find.
  let body = await ask();
  const [before, callsBefore] = [taken(), callsNow()];
  for (let count = 0; count < asked; count++) body = await ask();
  const api =
    costOf('API Gateway requests', 1) +
    costOf('CloudWatch Logs GB', accessLogBytes / 2 ** 30) +
    costOf('data out GB', (body.length + answerHeadBytes) / 2 ** 30);
  const million = ((taken() - before) / asked + api) * 1e6;
  return { operation: endpoint.operation, million, calls: Math.round((callsNow() - callsBefore) / asked) };
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
  ];
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
