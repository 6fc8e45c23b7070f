import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll } from 'vitest';
import { personIndexes } from '../../shared/contract/tables.ts';
import { indexing } from '../../shared/storage/persons/indexing.ts';
import { useClock } from './clock.ts';
import { useHarness } from './harness.ts';
import { context } from './lambda-events.ts';

/** The indexes of two releases: the current one, and a later one that adds an index. */
export const before = personIndexes;
export const after = { byPlace: { partition: 'placeOfBirth', sort: 'lastName', added: '1' }, ...before };

/**
 * Sets up a registry that gets a new index after deployment. DynamoDB builds an index from the rows that contain the
 * keys of the index.
 */
export function useAddedIndex(reindexWritesPerSecond: number) {
  const clock = useClock();
  const settings = { reindexWritesPerSecond: String(reindexWritesPerSecond) };
  const harness = useHarness({ tables: ['persons', 'journal', 'limits'], settings });
  const keys = ['placeOfBirthKey', 'lastNameSort'] as const;
  const Create = {
    IndexName: 'byPlace',
    KeySchema: [
      { AttributeName: keys[0], KeyType: 'HASH' as const },
      { AttributeName: keys[1], KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: ['folded'] },
  };

  beforeAll(async () => {
    const AttributeDefinitions = keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));
    const changed = { TableName: harness.tables.persons, AttributeDefinitions };
    await harness.dynamodb.client.send(
      new UpdateTableCommand({ ...changed, GlobalSecondaryIndexUpdates: [{ Create }] }),
    );
  });

  return {
    clock,
    harness,
    /** Returns a Lambda context whose time limit is given in milliseconds. */
    timed(ms: number) {
      const endsAt = clock.now() + ms;
      return { ...context, getRemainingTimeInMillis: () => endsAt - clock.now() };
    },
    /** Removes the reindexing steps from the queue and returns them. */
    async takeSteps() {
      const steps = harness.messagesIn<{ run: string }>('reindexing');
      await harness.purge('reindexing');
      return steps;
    },
    stateOf: () => indexing.permissions.change(harness.dynamodb.client, harness.tables.persons).indexState(),
    async takeIndexAway(): Promise<void> {
      const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName: 'byPlace' } }];
      await harness.dynamodb.client.send(
        new UpdateTableCommand({ TableName: harness.tables.persons, GlobalSecondaryIndexUpdates }),
      );
    },
  };
}
