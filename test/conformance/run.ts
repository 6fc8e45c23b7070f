import { type Access, type Deployment, isLocal, openDeployment } from './deployment.ts';
import { NotTried, type Sentence } from './sentence.ts';
import { journeySection } from './sentences/journey.ts';

export type Outcome = 'ok' | 'failed' | 'not tried';

export interface Result {
  readonly section: string;
  readonly sentence: string;
  readonly outcome: Outcome;
  /** Why it failed or was not tried; empty where it holds. */
  readonly reason: string;
  /** How many it registered: they remain. */
  readonly persons: number;
}

// Most of the time is spent waiting for deliveries.
const atOnce = 4;

async function tried({ check }: Sentence, deployment: Deployment): Promise<Pick<Result, 'outcome' | 'reason'>> {
  try {
    await check(deployment);
    return { outcome: 'ok', reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: error instanceof NotTried ? 'not tried' : 'failed', reason };
  }
}

async function judge(access: Access, one: Sentence): Promise<Result> {
  const deployment = openDeployment(access);
  const found = await tried(one, deployment);
  await deployment.cleanUp();
  return { section: one.section, sentence: one.sentence, ...found, persons: deployment.made.persons };
}

/** Tries every sentence, some at once, and takes away what they made. Answers in the order of the list. */
export async function runSentences(
  access: Access,
  list: readonly Sentence[],
  onResult: (done: number) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = list.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, sentence] of waiting) {
      results[index] = await judge(access, sentence);
      onResult(++done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

const isJourney = ({ section }: Sentence): boolean => section === journeySection;

/**
 * What is tried after each deployment: the journey, which tells at once whether it works, and where it does the others. Of those
 * none registers a person, unless the deployment is on this machine.
 */
export async function smoke(
  access: Access,
  list: readonly Sentence[],
  onResult?: (done: number) => void,
): Promise<Result[]> {
  const journey = await runSentences(access, list.filter(isJourney), onResult);
  if (journey.some(({ outcome }) => outcome === 'failed')) return journey;
  const others = list.filter((one) => !isJourney(one));
  const sparing = { ...access, isSparing: !isLocal(access.baseUrl) };
  return [...journey, ...(await runSentences(sparing, others, (done) => onResult?.(journey.length + done)))];
}
