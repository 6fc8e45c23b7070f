import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { AccessRequest } from '../../../infra/local/aws/template/policy.ts';
import { accessDenied } from '../../../infra/local/template/access.ts';
import { eventually } from '../../harness/eventually.ts';
import { seededBytes, seedOf } from '../../harness/random.ts';
import { openOwnWorld } from '../../harness/separate-stack.ts';
import { openBackstage } from './backstage.ts';
import { alikeTo, areAlike, type Grant, grantsOf, isUseOf, named } from './grants.ts';
import { jobScenes } from './job-scenes.ts';
import { registryScenes } from './registry-scenes.ts';
import { subscriptionScenes } from './subscription-scenes.ts';
import { unheard, unplayed } from './unused-grants.ts';
import { workerScenes } from './worker-scenes.ts';

// What a start asks ahead of its first request is no use of a grant: only what scenes do counts.
const { stack, world, assembly } = await openOwnWorld(
  { subscriptionOwnership: 'caller', changesTopic: 'changes' },
  { PRIMES: 'off' },
);
const backstage = openBackstage(world, stack);
afterAll(() => backstage.close());
const scenes = { ...registryScenes, ...subscriptionScenes, ...workerScenes, ...jobScenes };
// One lane of a worker stands for all.
const grants = grantsOf(assembly).filter(({ functionName }) => alikeTo(functionName)[0] === functionName);

interface Use {
  readonly functionName: string;
  readonly need: AccessRequest;
  readonly scene: string;
}

const uses: Use[] = [];
let playing = '';
stack.onAwsCall(({ functionName, needs }) => {
  for (const need of needs) uses.push({ functionName, need, scene: playing });
});

/** The scenes in which a grant was used, by the function or by another lane of its worker. */
const scenesOf = (grant: Grant): readonly string[] => [
  ...new Set(
    uses
      .filter(({ functionName, need }) => areAlike(functionName, grant.functionName) && isUseOf(need, grant))
      .map(({ scene }) => scene),
  ),
];

describe('with every grant', () => {
  test.each(Object.keys(scenes))('%s', async (name) => {
    playing = name;
    await scenes[name]?.(backstage);
  });

  test('each is used, or kept for a reason', () => {
    const unused = grants.filter((grant) => scenesOf(grant).length === 0).map(named);
    expect(unused.toSorted()).toEqual(Object.keys(unplayed).toSorted());
  });
});

// `GRANTS=. npx vitest run test/infra/grants` takes all of them away, one after the other, which takes seven minutes, `GRANTS=subscribe`
// those of whose name that is a part; `GRANTS_SEED=2` takes others of the few that are taken otherwise.
const seed = seedOf('GRANTS_SEED');
const sampled = 8;

function sampleOf(used: readonly Grant[]): readonly Grant[] {
  if (process.env.GRANTS !== undefined)
    return used.filter((grant) => new RegExp(String(process.env.GRANTS)).test(named(grant)));
  const byte = seededBytes(seed);
  const drawn = used.map((grant) => ({ grant, at: Buffer.from(byte(4)).readUInt32BE() }));
  return drawn
    .toSorted((one, other) => one.at - other.at)
    .slice(0, sampled)
    .map(({ grant }) => grant);
}

/** What comes of a scene that is played without a grant. */
type Outcome = 'named' | 'asked, and not told of' | 'never asked for';

/** Plays a scene without a grant until the log of the function says which action it lacks. */
async function playWithout(grant: Grant, scene: string): Promise<Outcome> {
  // What it has read and keeps it would not ask for again.
  await Promise.all(alikeTo(grant.functionName).map((functionName) => stack.kill(functionName)));
  const before = world.logLines().length;
  let isAsked = false;
  const stop = stack.onAwsCall(({ functionName, service, needs }) => {
    const need = needs.find((one) => areAlike(functionName, grant.functionName) && isUseOf(one, grant));
    isAsked ||= need !== undefined;
    return need && accessDenied(service, functionName, need);
  });
  let isOver = false;
  const ending = scenes[scene]?.(backstage).catch(() => {});
  // What the scene began may go on behind it.
  void ending
    ?.then(() => sleep(4000))
    .then(() => {
      isOver = true;
    });
  const says = (line: string) =>
    alikeTo(grant.functionName).some((name) => line.startsWith(`${name}: `)) &&
    line.includes(`"denied":"${grant.action}"`);
  try {
    return await eventually((): Outcome => {
      if (world.logLines().slice(before).some(says)) return 'named';
      if (!isOver) throw new Error(`${named(grant)} is not missed yet`);
      return isAsked ? 'asked, and not told of' : 'never asked for';
    }, 30_000).catch((): Outcome => (isAsked ? 'asked, and not told of' : 'never asked for'));
  } finally {
    stop();
  }
}

// What scenes before it left in the queues may keep a function from asking; a log that says nothing does so each time.
const mostPlays = 3;

/** Plays the scenes of a grant without it, each a few times, until the log names it; undefined where it does. */
async function silenceOf(grant: Grant): Promise<string | undefined> {
  let worst: Outcome = 'never asked for';
  for (const scene of scenesOf(grant)) {
    for (let plays = 0; plays < mostPlays; plays++) {
      const outcome = await playWithout(grant, scene);
      if (outcome === 'named') return undefined;
      if (outcome === 'asked, and not told of') worst = outcome;
    }
  }
  return `${named(grant)}: ${worst}`;
}

test(`without a grant that is used, the log names function and action (GRANTS_SEED=${seed})`, {
  timeout: 1_800_000,
}, async () => {
  const used = grants.filter((grant) => scenesOf(grant).length > 0 && !(named(grant) in unheard));
  expect(used.length).toBeGreaterThan(150);
  const silent: (string | undefined)[] = [];
  for (const grant of sampleOf(used)) silent.push(await silenceOf(grant));
  expect(silent.filter((one) => one !== undefined)).toEqual([]);
});
