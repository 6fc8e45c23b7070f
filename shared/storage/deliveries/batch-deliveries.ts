import { type DynamoTable, fromItem } from '../dynamo.ts';
import { putIf, returnsExisting, transact, update, updateOf } from '../writes.ts';
import { taskRow, toStoredOutcomes } from './row-schemas.ts';
import { isNew, isOwnWrite, type Lease, rowKey, type TaskId, type Times } from './rows.ts';
import { type Outcomes, type Responses, singleRows } from './single-deliveries.ts';

// Each outcome takes about 120 bytes, and a row holds at most 400 KB.
const mostOutcomes = 1500;

/** A lease, or the reason why no lease was acquired: another run holds it, or the batch is already recorded. */
type Claim =
  | { readonly is: 'leased' }
  | { readonly is: 'busy' }
  | { readonly is: 'done'; readonly outcomes: Outcomes; readonly hasRunAfterEffects: boolean };

export const deliverBatch = (table: DynamoTable) => ({
  /** Acquires the lease of a batch, unless another run holds this lease. */
  async acquire(task: TaskId, lease: Lease): Promise<Claim> {
    const claim = await update(table, rowKey(task), {
      set: { state: 'leased', leaseId: lease.id, leaseUntil: lease.leaseUntil, expiresAt: lease.expiresAt },
      condition: 'attribute_not_exists(#messageShard) OR (#state = :set_state AND #leaseUntil < :now)',
      values: { now: lease.now },
    });
    if (claim.isDone) return { is: 'leased' };
    const row = fromItem(taskRow, claim.stored ?? {});
    if (row.state === 'recorded')
      return { is: 'done', outcomes: row.outcomes, hasRunAfterEffects: row.hasRunAfterEffects };
    return { is: row.leaseId === lease.id ? 'leased' : 'busy' };
  },

  /**
   * Records a leased batch and, in the same transaction, creates a row for each subscription that was not reached.
   * Returns false if another run has taken over the lease.
   */
  async record(task: TaskId, lease: Lease, outcomes: Outcomes, responses?: Responses): Promise<boolean> {
    const key = rowKey(task);
    const change = {
      set: { state: 'recorded', outcomes: toStoredOutcomes(outcomes) },
      condition: '#state = :leased AND #leaseId = :lease',
      values: { leased: 'leased', lease: lease.id },
    };
    const { TableName } = table;
    const rows = singleRows(task, outcomes, lease, responses).map((Item) => ({ Put: { TableName, Item } }));
    if (rows.length === 0) {
      const done = await update(table, key, change);
      return done.isDone || isOwnWrite(done.stored, lease);
    }
    const Update = { TableName, Key: key, ...updateOf(change), ...returnsExisting };
    const done = await transact(table, [{ Update }, ...rows]);
    return done.isDone || isOwnWrite(done.failed.get(0), lease);
  },

  /** Creates rows for subscriptions that a recorded batch did not include. Existing rows stay unchanged. */
  async openLateSingles(task: TaskId, times: Times, outcomes: Outcomes): Promise<void> {
    await Promise.all(singleRows(task, outcomes, times).map((row) => putIf(table, row, isNew)));
  },

  /**
   * Adds outcomes to a recorded batch, unless `known` shows that the batch's row is full. Existing outcomes stay
   * unchanged. Does nothing if the row has expired.
   */
  async addOutcomes(task: TaskId, outcomes: Outcomes, known: number): Promise<void> {
    if (known >= mostOutcomes) return;
    const late = Object.entries(outcomes);
    const paths = late.map((_, index) => `outcomes.#u${index}`);
    await update(table, rowKey(task), {
      compute: Object.fromEntries(paths.map((path, index) => [path, `if_not_exists(#${path}, :o${index})`])),
      condition: '#state = :recorded',
      values: { recorded: 'recorded', ...Object.fromEntries(late.map(([, outcome], index) => [`o${index}`, outcome])) },
      names: Object.fromEntries(late.map(([uuid], index) => [`u${index}`, uuid])),
    });
  },
});
