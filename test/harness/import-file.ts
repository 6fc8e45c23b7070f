import { openBucket } from './bucket.ts';
import { eventually } from './eventually.ts';
import { uniqueName, type World } from './world.ts';

/** Uploads a file of changes to the bucket of a running stack, and returns the import report. */
export async function importChanges({ outputs }: World, changes: readonly object[]) {
  const { put, read } = openBucket(outputs.s3Endpoint, outputs.resources.buckets.documents ?? '');
  const key = `imports/${uniqueName('file')}.ndjson`;
  await put(key, changes.map((change) => JSON.stringify(change)).join('\n'));
  return eventually(async () => JSON.parse(String(await read(`${key}.report.json`))));
}
