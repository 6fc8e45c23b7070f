import { handler as importChanges } from '../../functions/persons/import-changes.ts';
import { openBucket } from './bucket.ts';
import { aBucketEvent } from './bucket-event.ts';
import { useHarness } from './harness.ts';
import type { Call } from './interference.ts';
import { context, sqsEvent } from './lambda-events.ts';
import { createMortalProcess, type When } from './mortal-process.ts';
import { bucketOfTests, type GivenSettings } from './variables.ts';

interface Report {
  readonly lines: number;
  readonly applied: Readonly<Record<string, number>>;
  readonly repeated: number;
  readonly rejected: number;
  readonly rejectedLines: readonly { readonly line: number; readonly field: string; readonly reason: string }[];
  readonly unreadable?: string;
  readonly repeats?: { readonly file: string; readonly rejected: number };
}

const mostRuns = 200;

/** Sets up the tables, queues, bucket and function that imports use. */
export function useImports(settings: GivenSettings = {}) {
  const harness = useHarness({ settings: { importWritesPerSecond: '40000', ...settings } });
  let opened: ReturnType<typeof openBucket> | undefined;
  let files = 0;
  const bucket = () => {
    opened ??= openBucket(harness.sqs.endpoint, bucketOfTests);
    return opened;
  };
  const invoke = (payload: unknown, leftMs?: () => number) =>
    importChanges(sqsEvent(payload), leftMs ? { ...context, getRemainingTimeInMillis: leftMs } : undefined);

  const imports = {
    ...harness,
    put: (key: string, body: string | Uint8Array): Promise<void> => bucket().put(key, body),
    removeRow: harness.remove,
    remove: (key: string): Promise<void> => bucket().remove(key),
    read: async (key: string): Promise<string> => String(await bucket().read(key)),
    keys: (prefix: string): Promise<string[]> => bucket().keysBelow(prefix),
    invoke,
    /** Invokes the import function with the S3 event for a file. */
    tell: (key: string, leftMs?: () => number) => invoke(aBucketEvent(key), leftMs),
    /** Invokes the import function with a file's S3 event. The run has no time left after the first matching call. */
    async tellUntil(key: string, isLast: (call: Call) => boolean): Promise<void> {
      let isOver = false;
      harness.interfere({
        async call(call, go) {
          const done = await go();
          isOver ||= isLast(call);
          return done;
        },
      });
      await imports.tell(key, () => (isOver ? 20_000 : 120_000));
      harness.interfere({});
    },
    /** Invokes the import function with the S3 event for a file, in a process that dies during one of its calls. */
    async tellAndDie(key: string, at: number | ((call: Call) => boolean), when: When = 'after'): Promise<void> {
      const dying = createMortalProcess(at, when);
      await harness.interfereDuring(dying.interference, () => Promise.race([imports.tell(key), dying.death]));
      if (!dying.hasStruck()) throw new Error('the process made no such call');
    },
    /**
     * Invokes the import function with its own queued messages until the queue is empty. Returns the number of runs.
     */
    async goOn(leftMs?: () => number, onRun = () => {}): Promise<number> {
      for (let runs = 0; runs < mostRuns; runs += 1) {
        const [payload] = harness.payloadsIn('imports');
        if (payload === undefined) return runs;
        await harness.purge('imports');
        onRun();
        await invoke(payload, leftMs);
      }
      throw new Error('the import does not end');
    },
    report: async (key: string): Promise<Report> => JSON.parse(await imports.read(`${key}.report.json`)),
    /** Stores a file and imports it. */
    async import(key: string, body: string | Uint8Array): Promise<Report> {
      await imports.put(key, body);
      await imports.tell(key);
      await imports.goOn();
      return imports.report(key);
    },
    /** Imports the given changes as a new file. */
    apply: (...changes: readonly object[]) => imports.import(`imports/${++files}.ndjson`, ndjson(...changes)),
    /** Returns every person in the registry, keyed by UIN. */
    async people(): Promise<Readonly<Record<string, unknown>>> {
      const rows = (await harness.rows('persons')).filter(({ id }) => String(id).startsWith('person#'));
      return Object.fromEntries(rows.map(({ uin, attributes }) => [uin, attributes]));
    },
  };
  return imports;
}

export const register = (uin?: string, attributes: object = { lastName: 'King' }) => ({
  ...{ change: 'register', uin, attributes },
});
export const update = (uin: string, attributes: object) => ({ change: 'update', uin, attributes });
export const merge = (keep: string, ...duplicates: string[]) => ({ change: 'merge', keep, duplicates });
export const remove = (uin: string) => ({ change: 'remove', uin });

/** Returns changes as NDJSON text. */
export const ndjson = (...changes: readonly object[]): string =>
  changes.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Whitespace that is longer than a chunk, so that the next line starts a new chunk. */
export const nextChunk = `${' '.repeat(250_000)}\n`.repeat(5);
