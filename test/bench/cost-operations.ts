import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { apiEvent } from '../harness/lambda-events.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { openWorld } from '../simulation/scale/world.ts';
import { ask, type Taken, taken } from './cost-asking.ts';
import { functionOf } from './cost-functions.ts';
import { documentScenes } from './cost-scenes-documents.ts';
import { personScenes } from './cost-scenes-persons.ts';
import { subscriptionScenes } from './cost-scenes-subscriptions.ts';
import { topicScenes } from './cost-scenes-topics.ts';
import { type Scenes, stageOf } from './cost-stage.ts';
import { passTime } from './cost-time.ts';

/** The average resource use and cost of a request, shown as a row of the cost table. */
export interface OperationCost extends Taken {
  readonly operation: string;
  /** The variant of the request, if the operation has several rows. */
  readonly of: string;
}

const scenes: Scenes = { ...personScenes, ...documentScenes, ...topicScenes, ...subscriptionScenes };

// No scene has more than 250 subscribers.
const options = { ...readScaleOptions(['--subscribers=250']), events: 0 };

/** Measures an operation in a new, empty simulation, so that data of other operations does not affect the result. */
async function costOfOperation(
  endpoint: Endpoint,
  functions: (one: Endpoint) => FunctionFacts,
): Promise<OperationCost[]> {
  const { operation } = endpoint;
  const prepare = scenes[operation];
  if (prepare === undefined) {
    console.error(`skipped ${operation}: test/bench/cost-scenes-*.ts has no scene for it`);
    return [];
  }
  const facts = functions(endpoint);
  const world = await openWorld(options);
  const all = async (): Promise<OperationCost[]> => {
    const costs: OperationCost[] = [];
    for (const { of = '', given, ...times } of await prepare(stageOf(world, functions))) {
      const eventOf = (number: number) => apiEvent(typeof given === 'function' ? given(number) : given);
      const once = async (number: number) => (await ask(world, facts, eventOf(number))).bytes;
      costs.push({ operation, of, ...(await taken(world, facts, once, times)) });
    }
    return costs;
  };
  try {
    return await passTime(world, all());
  } finally {
    world.close();
  }
}

/**
 * Measures the average resource use of each operation's requests in the simulator. Excludes the authorizer, because API
 * Gateway caches the authorizer's result.
 */
export async function costOfOperations(): Promise<OperationCost[]> {
  const functions = new Map<Endpoint, FunctionFacts>();
  for (const one of endpoints) functions.set(one, await functionOf(one));
  const known = (one: Endpoint): FunctionFacts => functions.get(one) as FunctionFacts;
  const costs: OperationCost[] = [];
  for (const one of endpoints) costs.push(...(await costOfOperation(one, known)));
  return costs;
}
