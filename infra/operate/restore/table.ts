import type { TableName } from '../../../shared/contract/tables.ts';
import { OptionError } from '../command-line.ts';
import { textOf } from '../deploy/place.ts';
import { type DeployedStage, unlessMissing } from './deployed-stage.ts';
import { type FunctionSteps, functionSteps, personSteps, reviewStep } from './functions-of-table.ts';
import type { RestoreOptions } from './options.ts';
import type { Plan, Step } from './steps.ts';
import { missingSettings, type StoreSetting, setMissing } from './store-setting.ts';
import { policySteps, switchStep } from './switch.ts';
import { tableProblems } from './table-problems.ts';
import {
  describeTable,
  oldTableTag,
  type TableShape,
  tableSettings,
  tagOf,
  waitUntilActive,
} from './table-settings.ts';
import { momentText, tableSource } from './table-source.ts';

const page = 'infra/runbook/restore.md';

/** Notes about consequences and further tasks after a restore, by table. */
const notes: Readonly<Partial<Record<TableName, string>>> = {
  persons: `Afterwards, import all removals after the restore point again: ${page}#persons`,
  subscriptions: `People who subscribed or unsubscribed after the restore point must do so again: ${page}#subscriptions`,
  deliveries: `Some events are sent twice, and some must be published again: ${page}#deliveries`,
};

/** Returns a copy of a step. The copy also counts as done after the switch, even if the original step does not. */
const before = (isSwitched: () => Promise<boolean>, { does, isDone, run }: Step): Step => ({
  ...{ does, run },
  isDone: async () => (await isSwitched()) || (await isDone()),
});

const after = (isSwitched: () => Promise<boolean>, { does, isDone, run }: Step): Step => ({
  ...{ does, run },
  isDone: async () => (await isSwitched()) && (await isDone()),
});

/** Returns the name of the restored table. A repeated command finds the table by this name. */
const targetOf = (stack: string, table: string, moment: Date): string =>
  `${stack}-${table}-${momentText(moment).replace(/[-:]/g, '')}`;

/** Returns the steps after the switch. The last step starts the sweeper. */
function startingSteps(
  stage: DeployedStage,
  name: TableName,
  steps: FunctionSteps,
  old: string | undefined,
  target: string,
): Step[] {
  const { startApi, startWorkers, startSweeper } = steps;
  const [release] = startWorkers;
  return [
    ...startApi,
    ...(name === 'persons' && release !== undefined ? personSteps(stage, old, target, release) : []),
    ...startWorkers,
    ...startSweeper.map((step) => (name === 'deliveries' ? reviewStep(stage, target, step) : step)),
  ];
}

/** Returns the steps that cancel a restore and start the stopped functions again. */
function cancelPlan(stage: DeployedStage, name: TableName, inUse: string): Plan {
  const { startApi, startWorkers, startSweeper } = functionSteps(stage, name);
  const title = `Cancel the restore of the table ${name} of ${stage.settings.stage} (${textOf(stage.place)})`;
  return {
    title,
    steps: [...startApi, ...startWorkers, ...startSweeper],
    notes: [`The functions use ${inUse}. No table is deleted.`],
  };
}

export async function tablePlan(stage: DeployedStage, options: RestoreOptions): Promise<Plan> {
  const { store, to, use, isCancelled } = options;
  const { clients, settings, place, stack, shapes, terminal } = stage;
  const { dynamodb } = clients;
  const name = store as TableName;
  const inUse = await stage.output(`${name}Table`);
  if (inUse === undefined && use === undefined)
    throw new OptionError(`${stack} is not deployed: name the restored table with --use`);
  if (isCancelled) return cancelPlan(stage, name, inUse as string);
  const target = use ?? targetOf(stack, name, to as Date);
  const isSwitched = async () => (await stage.output(`${name}Table`)) === target;
  const shape = shapes.get(name)?.properties as unknown as TableShape;
  const statusOf = async (table: string) => (await unlessMissing(describeTable(dynamodb, table)))?.TableStatus;
  const status = await statusOf(target);
  if (use !== undefined && status === undefined) throw new OptionError(`--use: no table has the name ${use}`);
  if (target === inUse && status === undefined)
    throw new OptionError(`${target} was restored to this time, but has been deleted: choose another time with --to`);
  // After the switch, the name of the old table is only in a tag of the restored table.
  const old = inUse === target ? await tagOf(dynamodb, target, oldTableTag) : inUse;
  const tags = old === undefined ? [] : [{ Key: oldTableTag, Value: old }];
  const ofTarget = tableSettings(dynamodb, target, shape, terminal, tags);
  const isOldThere = old !== undefined && (await statusOf(old)) !== undefined;
  const source = (use ?? status) ? undefined : await tableSource(dynamodb, inUse as string, to as Date);
  const restore: Step = {
    does: `restore to the new table ${target}, which takes minutes to hours`,
    isDone: async () => (await statusOf(target)) === 'ACTIVE',
    async run() {
      await source?.(target);
      await waitUntilActive(dynamodb, target, terminal);
    },
  };
  const refuse = async (wanted: readonly StoreSetting[]): Promise<void> => {
    const problems = await tableProblems(dynamodb, target, inUse, shape, {
      settings: wanted,
      mayBeEmpty: use !== undefined,
    });
    if (problems.length > 0) throw new Error(`${target} cannot be used: ${problems.join('; ')}`);
  };
  const configure: Step = {
    does: `set the properties that a restore does not copy: ${ofTarget.map(({ what }) => what).join(', ')}`,
    isDone: async () => (await statusOf(target)) === 'ACTIVE' && (await missingSettings(ofTarget)).length === 0,
    async run() {
      await waitUntilActive(dynamodb, target, terminal);
      await refuse([]);
      await setMissing(ofTarget);
    },
  };
  const check: Step = {
    does: `check keys, indexes, settings and rows of ${target}`,
    isDone: isSwitched,
    run: () => refuse(ofTarget),
  };
  const ofFunctions = functionSteps(stage, name);
  return {
    title: `Restore the table ${name} of ${settings.stage}${to ? ` to ${momentText(to)}` : ''} (${textOf(place)})`,
    steps: [
      ...ofFunctions.stopping.map((step) => before(isSwitched, step)),
      ...(use === undefined ? [restore] : []),
      ...[configure, check, switchStep(stage, name, target, `${name}Table`), ...policySteps(stage)],
      ...startingSteps(stage, name, ofFunctions, isOldThere ? old : undefined, target).map((step) =>
        after(isSwitched, step),
      ),
    ],
    notes: [
      ...(!isOldThere ? [] : [`The old table ${old} is not deleted.`]),
      ...(notes[name] === undefined ? [] : [notes[name]]),
    ],
  };
}
