import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { apiEvent } from '../harness/lambda-events.ts';
import type { FunctionFacts } from '../simulation/lambda/platform.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { openWorld } from '../simulation/scale/world.ts';
import { ask, type Taken, taken } from './cost-asking.ts';
import { functionOf } from './cost-functions.ts';
import { documentScenes } from './cost-scenes-documents.ts';
import { pageScenes } from './cost-scenes-pages.ts';
import { personScenes } from './cost-scenes-persons.ts';
import { subscriptionScenes } from './cost-scenes-subscriptions.ts';
import { topicScenes } from './cost-scenes-topics.ts';
import { type Scenes, stageOf } from './cost-stage.ts';
import { passTime } from './cost-time.ts';

/** What a request of an operation takes. */
export interface OperationCost extends Taken {
  readonly operation: string;
  /** What is special about it: an operation may have several rows. */
  readonly of: string;
}

const scenes: Scenes = {
  ...{ ...personScenes, ...documentScenes, ...topicScenes },
  ...{ ...subscriptionScenes, ...pageScenes },
};

// More than any scene has.
const options = { ...readScaleOptions(['--subscribers=250']), events: 0 };

/** A world of its own, with nothing in it, for each operation: none finds what another has left. */
async function costOfOperation(
  endpoint: Endpoint,
  functions: (one: Endpoint) => FunctionFacts,
): Promise<OperationCost[]> {
  const { operation } = endpoint;
  const prepare = scenes[operation];
  if (prepare === undefined) throw new Error(`${operation} has no scene in which it is asked for`);
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

/** What a request of each operation takes, by calls that were counted in the simulator; without the authorizer, whose answers are kept. */
export async function costOfOperations(): Promise<OperationCost[]> {
  const functions = new Map<Endpoint, FunctionFacts>();
  for (const one of endpoints) functions.set(one, await functionOf(one));
  const known = (one: Endpoint): FunctionFacts => functions.get(one) as FunctionFacts;
  const costs: OperationCost[] = [];
  for (const one of endpoints) costs.push(...(await costOfOperation(one, known)));
  return costs;
}
