import { type Access, type Deployment, isLocal, openDeployment } from './deployment.ts';
import { type Requirement, Skipped } from './requirement.ts';
import { journeySection } from './requirements/journey.ts';

export type Outcome = 'ok' | 'failed' | 'skipped';

export interface Result {
  readonly section: string;
  readonly requirement: string;
  readonly outcome: Outcome;
  /** The reason why the check failed or was skipped. Empty if it passed. */
  readonly reason: string;
  /** The number of persons that the check registered but could not remove. */
  readonly persons: number;
}

// Checks spend most of their time waiting for deliveries.
const concurrency = 4;

async function outcomeOf({ check }: Requirement, deployment: Deployment): Promise<Pick<Result, 'outcome' | 'reason'>> {
  try {
    await check(deployment);
    return { outcome: 'ok', reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: error instanceof Skipped ? 'skipped' : 'failed', reason };
  }
}

async function checkOne(access: Access, one: Requirement): Promise<Result> {
  const deployment = openDeployment(access);
  const found = await outcomeOf(one, deployment);
  await deployment.cleanUp();
  return { section: one.section, requirement: one.requirement, ...found, persons: deployment.made.persons };
}

/** Checks all requirements, four at a time. Cleans up after each check. Returns the results in the given order. */
export async function checkRequirements(
  access: Access,
  list: readonly Requirement[],
  onResult: (done: number) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = list.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, requirement] of waiting) {
      results[index] = await checkOne(access, requirement);
      onResult(++done);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

const isJourney = ({ section }: Requirement): boolean => section === journeySection;

/**
 * Runs the checks after a deployment: the client journey first, then all other requirements if the journey succeeds.
 * Skips other checks that register persons unless the deployment runs on this machine.
 */
export async function runSmokeTest(
  access: Access,
  list: readonly Requirement[],
  onResult?: (done: number) => void,
): Promise<Result[]> {
  const journey = await checkRequirements(access, list.filter(isJourney), onResult);
  if (journey.some(({ outcome }) => outcome === 'failed')) return journey;
  const others = list.filter((one) => !isJourney(one));
  const withoutRegistration = { ...access, skipsRegistration: !isLocal(access.baseUrl) };
  return [
    ...journey,
    ...(await checkRequirements(withoutRegistration, others, (done) => onResult?.(journey.length + done))),
  ];
}
