import { setTimeout as sleep } from 'node:timers/promises';
import { besideStacks, namesOf } from '../../shared/contract/deployment-names.ts';
import { readStage, stageNames } from '../settings/read-stage.ts';
import { endWith, lineOf, OptionError, readCommand, usageError } from './command-line.ts';
import { readPlace } from './deploy/place.ts';
import { drain } from './drain/drain.ts';
import { openDrainedStack } from './drain/drained-stack.ts';

const usage = `npm run drain -- --stage STAGE [--resume]

Prepares a stage so that its stack can be deleted and deployed again: stops everything that sends messages, and waits
until every queue of the stack is empty. Refuses while a dead letter is left. Changes no data.

  --stage STAGE    the stage, with settings in infra/stages/STAGE.ts
  --resume         undoes the stop instead

Uses the credentials and the region of the AWS tools.`;

const options = { stage: { type: 'string' }, resume: { type: 'boolean' } } as const;
const asked = 'npm run drain -- --help';
const { values } = readCommand(options, usage, asked);

try {
  const { stage, resume } = values;
  if (stage === undefined) throw usageError('Name the stage', asked);
  if (!stageNames().includes(stage))
    throw new OptionError(`there is no stage ${stage}: the stages are ${stageNames().join(', ')}`);
  const { stack } = namesOf(stage);
  const settings = await readStage({ stage }, true);
  const place = await readPlace(settings);
  const service = await openDrainedStack(stack, place.region);
  if (resume) {
    await service.resume();
    console.log('Publishing has started again.');
  } else {
    await drain(service, console.log, sleep);
    const [, , observability, protection] = besideStacks(stack);
    console.log(
      `The queues are empty. Delete ${protection}, ${observability} and ${stack}, then run npm run deploy -- --stage ${stage}.`,
    );
  }
} catch (error) {
  endWith(error, lineOf(error as Error));
}
