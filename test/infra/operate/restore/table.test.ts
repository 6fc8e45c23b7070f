import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { stackPolicy } from '../../../../infra/operate/deploy/stack-policy.ts';
import { affectedFunctions } from '../../../../infra/operate/restore/affected-functions.ts';
import { type Table, type TableName, tables } from '../../../../shared/contract/tables.ts';
import { creationOf } from '../../../harness/create-table.ts';
import { useDynamodb } from '../../../harness/embedded.ts';
import { deploymentLifting, Killed, type RecordedStage, recordedStage, stack } from './recorded-stage.ts';

const dynamodb = useDynamodb();
const to = '2026-11-22T10:00:00Z';
let stage: RecordedStage;

// All stages share one embedded DynamoDB and restore tables with the same names, so each restore needs its own time.
let minute = 0;
const nextMoment = (): string => new Date(Date.parse(to) + 60_000 * minute++).toISOString();
const targetOf = (name: string, moment: string): string =>
  `${stack}-${name}-${moment.replace('.000Z', 'Z').replace(/[-:]/g, '')}`;

beforeEach(async () => {
  stage = await recordedStage(dynamodb);
});

/** Returns the functions that cannot run and the workers that do not read messages. */
const stoppedIn = ({ concurrency, mappings }: RecordedStage): string[] => [
  ...[...concurrency].filter(([, reserved]) => reserved === 0).map(([id]) => id),
  ...[...mappings].filter(([, isEnabled]) => !isEnabled).map(([id]) => id),
];

const tableOf = (name: TableName): string => stage.outputs.get(`${name}Table`) ?? '';

async function addRow(name: TableName, attributes: Record<string, string> = {}): Promise<void> {
  const { partition, sort }: Table = tables[name];
  const values = { [partition]: 'one', ...(sort && { [sort]: 'two' }), ...attributes };
  const Item = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { S: value }]));
  await dynamodb.client.send(new PutItemCommand({ TableName: tableOf(name), Item }));
}

test.each(Object.keys(tables) as TableName[])(
  'restore recovers the table %s with all its settings, and stops and starts only the affected functions',
  async (name) => {
    await addRow(name);
    const [old, moment] = [tableOf(name), nextMoment()];
    const target = targetOf(name, moment);
    const lines = await stage.restore(name, '--to', moment);
    expect(lines.at(-1)).toBe('Every step is done.');
    expect(tableOf(name)).toBe(target);
    expect(await dynamodb.rowsOf(target)).toEqual(await dynamodb.rowsOf(old));
    expect(stage.named).toEqual([`${name}=${target}`]);
    expect(stage.deployments).toEqual([deploymentLifting(`tables${name}`)]);
    expect(stoppedIn(stage)).toEqual([]);
    // CloudFormation would not restore the reserved concurrency of this function, so the command sets it.
    if (name === 'persons') expect([...stage.concurrency.values()]).toEqual([45]);
    const { usesSweeper, jobs, api, workers } = affectedFunctions(name);
    const stopped = [...(usesSweeper ? ['sweep'] : []), ...jobs, ...api];
    for (const one of stopped)
      expect(lines.join('\n')).toMatch(new RegExp(`\\d\\. stop [\\w, ]*\\b${one}\\b[^]* start [\\w, ]*\\b${one}\\b`));
    expect(stage.mappings.size).toBe(workers.length);

    const { expiresAt, isWarmed, indexes = {} }: Table = tables[name];
    expect(stage.protectedTables).toContain(target);
    const { Table } = await dynamodb.client.send(new DescribeTableCommand({ TableName: target }));
    expect(Table?.DeletionProtectionEnabled).toBe(true);
    const { Tags } = await dynamodb.client.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
    expect(Tags).toContainEqual({ Key: 'stage', Value: 'prod' });
    const ttl = await dynamodb.client.send(new DescribeTimeToLiveCommand({ TableName: target }));
    expect(ttl.TimeToLiveDescription?.AttributeName).toBe(expiresAt);
    const warmed = Object.keys(indexes).filter((one) => isWarmed && !indexes[one]?.isSeldomWritten);
    const names = warmed.map((index) => `${target} ${index}`);
    expect([...stage.warm.keys()]).toEqual([...(isWarmed ? [target] : []), ...names]);
  },
);

test('a dry run prints every step without changing anything, and restore changes nothing without confirmation', async () => {
  await addRow('persons');
  const moment = nextMoment();
  const lines = await stage.restore('persons', '--to', moment, '--dry-run');
  const target = targetOf('persons', moment);
  expect(lines).toEqual([
    `Restore the table persons of prod to ${moment.replace('.000Z', 'Z')} (account 111122223333, us-east-1):`,
    '  1. stop generateUin: callers get 5xx responses',
    '  2. hold linkDocuments, importChanges, fillIndexes: messages wait in their queues',
    `  3. restore to the new table ${target}, which takes minutes to hours`,
    '  4. set the properties that a restore does not copy: point-in-time recovery, expiry of rows, deletion protection, tags',
    `  5. check keys, indexes, settings and rows of ${target}`,
    expect.stringMatching(
      /^ {2}6\. switch to .*: name .* in the setting restored of .*, and deploy --lift tablespersons/,
    ),
    '  7. done: set the stack policy of IdentityRegistry-prod-Data again',
    '  8. start generateUin',
    `  9. copy the persons that were registered after the restore point from ${tableOf('persons')}, if you confirm`,
    ' 10. run reindexPersons',
    ' 11. release linkDocuments, importChanges, fillIndexes',
    `The old table ${tableOf('persons')} is not deleted.`,
    expect.stringContaining('import all removals after the restore point again'),
    'Nothing was changed.',
  ]);
  stage.answer(false);
  expect((await stage.restore('persons', '--to', moment)).at(-1)).toBe('Nothing was changed.');
  expect([stage.interruption.written, stage.named]).toEqual([[], []]);
});

test('restore continues after an interruption at any change, and makes each change only once', async () => {
  await addRow('persons');
  const first = nextMoment();
  await stage.restore('persons', '--to', first);
  const complete = [...stage.interruption.written];
  expect(complete).toHaveLength(14);
  for (let killAfter = 1; killAfter <= complete.length; killAfter += 1) {
    stage = await recordedStage(dynamodb);
    await addRow('persons');
    const moment = nextMoment();
    stage.interruption.killAfter = killAfter;
    await expect(stage.restore('persons', '--to', moment)).rejects.toThrow(Killed);
    stage.interruption.killAfter = undefined;
    await stage.restore('persons', '--to', moment);
    expect(tableOf('persons')).toBe(targetOf('persons', moment));
    expect([stoppedIn(stage), stage.mappings.size]).toEqual([[], 3]);
    expect(stage.interruption.written.filter((one) => one === 'RestoreTableToPointInTime')).toHaveLength(1);
    expect(stage.deployments).toHaveLength(1);
    const again = await stage.restore('persons', '--to', moment);
    expect(again.at(-1)).toBe('Every step is done.');
    expect(again.filter((line) => /^ +\d+\. (?!done: )/.test(line))).toEqual([]);
  }
});

test('restore copies the persons who were registered after the restore point, but no other changes', async () => {
  const at = (id: string, uin = '') => addRow('persons', { id, ...(uin !== '' && { uin }) });
  await at('person#1');
  const [old, moment] = [tableOf('persons'), nextMoment()];
  stage.answer((question) => question === 'Run the remaining steps?');
  const { deploy } = stage.tools;
  Object.assign(stage.tools, {
    async deploy(args: readonly string[]) {
      await at('person#2');
      await at('mint#a');
      await at('change#b', '2');
      await at('change#c', '1');
      await at('indexes');
      await deploy(args);
    },
  });
  stage.interruption.killAfter = 10;
  await expect(stage.restore('persons', '--to', moment)).rejects.toThrow(Killed);
  expect(stage.interruption.written.at(-1)).toBe('PutFunctionConcurrency');
  stage.answer(true);
  // The command finds the old table again, although the table is no longer in any stack.
  const lines = await stage.restore('persons', '--to', moment);
  expect(lines).toContain('1 persons copied.');
  const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => id).toSorted();
  expect(ids(await dynamodb.rowsOf(tableOf('persons')))).toEqual(['change#b', 'mint#a', 'person#1', 'person#2']);
  expect(ids(await dynamodb.rowsOf(old))).toHaveLength(6);
});

test('restore repeats a failed deployment, starts nothing until the deployment succeeds, and restores the stack policy', async () => {
  await addRow('persons');
  const moment = nextMoment();
  const { deploy } = stage.tools;
  Object.assign(stage.tools, { deploy: async () => Promise.reject(new Error('the deployment failed')) });
  await expect(stage.restore('persons', '--to', moment)).rejects.toThrow('the deployment failed');
  expect([...stage.concurrency.values(), ...stage.mappings.values()]).toEqual([0, false, false, false]);
  // The deployment was interrupted while the stack policy was lifted.
  stage.policy.push(stackPolicy(['tablespersons']));
  Object.assign(stage.tools, { deploy: async () => {} });
  await expect(stage.restore('persons', '--to', moment)).rejects.toThrow('do not use');
  Object.assign(stage.tools, { deploy });
  await stage.restore('persons', '--to', moment);
  expect([stoppedIn(stage), stage.policy.at(-1)]).toEqual([[], stackPolicy()]);
});

test('restore stops the sweeper first and starts it last, after the operator has checked the due deliveries', async () => {
  const due = { sweepShard: 'due#3', sweepAt: '001764000000000', owner: 'a-subscription', protocol: 'http' };
  await addRow('deliveries', due);
  const moment = nextMoment();
  stage.answer((question) => question !== 'Start the sweeper?');
  await expect(stage.restore('deliveries', '--to', moment)).rejects.toThrow('Run the same command again to continue.');
  expect(stoppedIn(stage)).toEqual([expect.stringMatching(/^jobssweep[0-9A-F]{8}$/)]);
  stage.answer(true);
  const lines = await stage.restore('deliveries', '--to', moment);
  expect(lines.slice(-6)).toEqual([
    expect.stringMatching(/^\d+\. show the due work, wait for your confirmation, then start sweep$/),
    'Due since 2025-11-24T16:00:00.000Z: 1 http.',
    'The subscriptions with the most due work: 1 a-subscription',
    expect.stringContaining('The sweeper sends due events within minutes'),
    '? Start the sweeper?',
    'Every step is done.',
  ]);
  expect(stoppedIn(stage)).toEqual([]);
  const steps = lines.filter((line) => /^ +\d+\. /.test(line));
  expect(steps[0]).toContain('stop sweep:');
  expect(steps.at(-1)).toContain('start sweep');
});

test('restore stops before it switches tables if a check fails, and --cancel restarts the functions', async () => {
  const moment = nextMoment();
  await stage.restore('topics', '--to', moment, '--dry-run');
  // At the restore point, the table was empty, but now it contains a row.
  const target = targetOf('topics', moment);
  await dynamodb.client.send(creationOf('topics', target));
  await addRow('topics');
  const reason = `${target} cannot be used: it is empty, but the table in use is not empty`;
  await expect(stage.restore('topics', '--to', moment)).rejects.toThrow(reason);
  expect([stage.named, stage.deployments]).toEqual([[], []]);
  expect([...stage.mappings.values()]).toEqual([false, false]);
  expect((await stage.restore('topics', '--cancel')).at(-1)).toBe('Every step is done.');
  expect([stoppedIn(stage), stage.mappings.size]).toEqual([[], 2]);
});

test('restore does not use a table that lacks an index or a setting', async () => {
  await addRow('deliveries');
  const wrong = await dynamodb.createTable('topics');
  await expect(stage.restore('deliveries', '--use', wrong)).rejects.toThrow(
    'its keys differ from the keys in the template; it lacks the bySubscription index, or is still building it',
  );
  expect([stage.warm.size, stage.protectedTables.size, stage.deployments]).toEqual([0, 0, []]);
});

test.each([
  ['2026-10-20T08:00:00Z', 'can be restored to a time from 2026-10-20T08:00:01Z to 2026-11-24T09:55:00Z'],
  ['2026-11-24T09:55:01Z', 'can be restored to a time from 2026-10-20T08:00:01Z to 2026-11-24T09:55:00Z'],
])('restore rejects the time %s, which is outside the recovery window', async (moment, reason) => {
  await expect(stage.restore('persons', '--to', moment)).rejects.toThrow(reason);
  expect(stage.interruption.written).toEqual([]);
});

test('restore recovers a deleted table from its last backup, but only to the time of the deletion', async () => {
  await addRow('persons');
  const source = tableOf('persons');
  stage.outputs.set('personsTable', 'deleted');
  const early = stage.restore('persons', '--to', nextMoment());
  await expect(early).rejects.toThrow('deleted does not exist and has no backup');
  const deletion = nextMoment();
  stage.backups.push(
    { BackupArn: 'older', BackupCreationDateTime: new Date('2026-11-01') },
    { BackupArn: source, BackupCreationDateTime: new Date(deletion) },
  );
  await expect(stage.restore('persons', '--to', nextMoment())).rejects.toThrow(
    `it can be restored only to the time of its deletion, with --to ${deletion.replace('.000Z', 'Z')}`,
  );
  await stage.restore('persons', '--to', deletion);
  expect(await dynamodb.rowsOf(tableOf('persons'))).toHaveLength(1);
});

test('restore configures and uses a table that the operator has restored', async () => {
  await addRow('persons');
  // An operator who wants to continue immediately can name an empty table.
  const copy = await dynamodb.createTable('persons');
  await stage.restore('persons', '--use', copy);
  expect([tableOf('persons'), stage.named]).toEqual([copy, [`persons=${copy}`]]);
  await expect(stage.restore('persons', '--use', 'none')).rejects.toThrow('--use: no table has the name none');

  const { clients } = stage.tools;
  const missing = async () => Promise.reject(new Error('Stack with id a does not exist'));
  Object.assign(clients.cloudFormation, { send: missing });
  const lines = await stage.restore('persons', '--use', copy);
  expect(lines.filter((line) => /^ +\d/.test(line))).toHaveLength(3);
  expect([stage.named.length, stage.deployments.length]).toEqual([2, 1]);
  const undeployed = stage.restore('persons', '--to', to);
  await expect(undeployed).rejects.toThrow('is not deployed: name the restored table with --use');
});
