import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessDenied } from '../../../infra/local/aws/template/access.ts';
import type { AccessRequest } from '../../../infra/local/aws/template/policy.ts';
import { endpoints } from '../../../shared/contract/endpoints.ts';
import { eventually, untilAborted } from '../../harness/eventually.ts';
import { seededBytes, seedOf } from '../../harness/random.ts';
import { openSeparateWorld } from '../../harness/separate-stack.ts';
import { openBackstage } from './backstage.ts';
import { alikeTo, areAlike, type Grant, grantsOf, isUseOf, named } from './grants.ts';
import { jobScenes } from './job-scenes.ts';
import { registryScenes } from './registry-scenes.ts';
import { subscriptionScenes } from './subscription-scenes.ts';
import { unloggedGrants, unusedGrants } from './unused-grants.ts';
import { workerScenes } from './worker-scenes.ts';

// Warm-up is disabled because its calls do not count as uses of a grant.
const { stack, world, assembly } = await openSeparateWorld(
  { subscriptionOwnership: 'caller', changesTopic: 'changes', keyArn: 'make' },
  { WARM_UP: 'off' },
);
const backstage = openBackstage(world, stack);
afterAll(() => backstage.close());
const scenes = { ...registryScenes, ...subscriptionScenes, ...workerScenes, ...jobScenes };
const allGrants = grantsOf(assembly);
const functionNames = [...new Set(allGrants.map(({ functionName }) => functionName))];
// One lane represents all lanes of a worker.
const grants = allGrants.filter(({ functionName }) => alikeTo(functionName)[0] === functionName);
// Stops functions because a warm function does not repeat a request whose response it has cached.
const kill = (names: readonly string[]) => Promise.all(names.map(stack.kill));

interface Use {
  readonly functionName: string;
  readonly need: AccessRequest;
  readonly scene: string;
}

const uses: Use[] = [];

/** Returns the scenes in which a grant was used, by this function or by another lane of the same worker. */
function scenesOf(grant: Grant): readonly string[] {
  const isIts = ({ functionName, need }: Use) => areAlike(functionName, grant.functionName) && isUseOf(need, grant);
  return [...new Set(uses.filter(isIts).map(({ scene }) => scene))];
}

describe('with every grant', () => {
  beforeAll(() => kill(functionNames));

  test.each(Object.keys(scenes))('%s', async (name) => {
    // S3 sends a test message to its queues at any time, so their functions may be warm before any scene uses them.
    await kill(['linkDocuments', 'importChanges']);
    const stop = stack.onAwsCall(({ functionName, needs }) => {
      for (const need of needs) uses.push({ functionName, need, scene: name });
    });
    await scenes[name]?.(backstage).finally(stop);
  });

  test('every grant is either used by a scene or in the list of unused grants', () => {
    // New endpoints need no scene.
    const called = new Set(uses.map(({ functionName }) => functionName));
    const withoutScene = endpoints.map(({ operation }) => operation).filter((name) => !called.has(name));
    const judged = grants.filter(({ functionName }) => !withoutScene.includes(functionName));
    const unused = judged.filter((grant) => scenesOf(grant).length === 0).map(named);
    expect(unused.toSorted()).toEqual(Object.keys(unusedGrants).toSorted());
  });
});

// `GRANTS=. npx vitest run test/infra/grants` removes each grant in turn, which takes about four minutes.
// `GRANTS=subscribe` removes only the grants whose names match this pattern. `GRANTS_SEED=2` selects another sample.
const seed = seedOf('GRANTS_SEED');
const sampled = 8;

function sampleOf(used: readonly Grant[]): readonly Grant[] {
  const pattern = process.env.GRANTS ?? process.env.DEFAULT_GRANTS;
  if (pattern !== undefined) {
    const chosen = used.filter((grant) => new RegExp(pattern).test(named(grant)));
    expect(chosen, `no grant matches ${pattern}`).not.toEqual([]);
    return chosen;
  }
  const byte = seededBytes(seed);
  const drawn = used.map((grant) => ({ grant, at: Buffer.from(byte(4)).readUInt32BE() }));
  return drawn
    .toSorted((one, other) => one.at - other.at)
    .slice(0, sampled)
    .map(({ grant }) => grant);
}

/** The result of running a scene while a function lacks a grant. */
type Outcome = 'named' | 'requested, but not logged' | 'never requested';

/** Runs a scene without a grant until the function logs the denied action or the scene ends. */
async function playWithout(grant: Grant, scene: string): Promise<Outcome> {
  const before = world.logLines().length;
  let isAsked = false;
  const stop = stack.onAwsCall(({ functionName, service, needs }) => {
    const need = needs.find((one) => areAlike(functionName, grant.functionName) && isUseOf(one, grant));
    isAsked ||= need !== undefined;
    return need && accessDenied(service, functionName, need);
  });
  // The grant is already missing, because a retry in the background may start a function at any time.
  await kill(alikeTo(grant.functionName));
  let isOver = false;
  const abandoned = new AbortController();
  // The scene may have started work that continues in the background.
  void untilAborted(abandoned.signal, async () => scenes[scene]?.(backstage))
    .catch(() => {})
    .then(() => sleep(4000))
    .then(() => {
      isOver = true;
    });
  const says = (line: string) =>
    alikeTo(grant.functionName).some((name) => line.startsWith(`${name}: `)) &&
    line.includes(`"denied":"${grant.action}"`);
  try {
    return await eventually((): Outcome => {
      if (world.logLines().slice(before).some(says)) return 'named';
      if (!isOver) throw new Error(`${named(grant)} has not been missed yet`);
      return isAsked ? 'requested, but not logged' : 'never requested';
    }, 120_000).catch((): Outcome => (isAsked ? 'requested, but not logged' : 'never requested'));
  } finally {
    stop();
    // Otherwise, the scene would wait for results that the missing grant prevents, and slow down the next scenes.
    abandoned.abort();
  }
}

// A scene runs several times because a function may still be processing earlier scenes.
const mostPlays = 3;

/**
 * Runs each scene that uses a grant up to three times without the grant. Returns the worst outcome, or undefined if the
 * log names the denied action.
 */
async function silenceOf(grant: Grant): Promise<string | undefined> {
  let worst: Outcome = 'never requested';
  const using = scenesOf(grant);
  for (let plays = 0; plays < mostPlays; plays++) {
    for (const scene of using) {
      const outcome = await playWithout(grant, scene);
      if (outcome === 'named') return undefined;
      if (outcome === 'requested, but not logged') worst = outcome;
    }
  }
  return `${named(grant)}: ${worst}`;
}

test(`the log names the function and the action if a function lacks a grant that it uses (GRANTS_SEED=${seed})`, {
  timeout: 1_800_000,
}, async () => {
  const used = grants.filter((grant) => scenesOf(grant).length > 0 && !(named(grant) in unloggedGrants));
  expect(used.length).toBeGreaterThan(150);
  const silent: (string | undefined)[] = [];
  for (const grant of sampleOf(used)) silent.push(await silenceOf(grant));
  expect(silent.filter((one) => one !== undefined)).toEqual([]);
});
