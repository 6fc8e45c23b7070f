import * as z from 'zod/mini';

// Null in the description of the message, where the bucket keeps no versions; S3 leaves it out.
const versionId = z.pipe(
  z.nullable(z.string()),
  z.transform((id) => id ?? undefined),
);

const objectOfEvent = z.object({
  key: z.string(),
  versionId: z.optional(versionId),
  /** Tells one put under a name from another. */
  sequencer: z.optional(z.string()),
});

/** What S3 tells of objects ("Event message structure" in the Amazon S3 User Guide), as far as anybody here reads it. */
const objectEvents = z.object({
  Records: z.array(z.object({ s3: z.object({ object: objectOfEvent }) })),
});

/** What S3 sends by itself when a bucket is told to notify a queue. */
const trial = z.object({ Event: z.literal('s3:TestEvent') });

/** A message from S3 in a queue that a bucket notifies. */
export const bucketEvent = z.union([objectEvents, trial]);
export type BucketEvent = z.infer<typeof bucketEvent>;

// As HTML forms are encoded: a space is `+`, and a plus sign `%2B`.
const decoded = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

/** The objects that a message is about, as often as it says; a trial is about none. */
export const objectsIn = (event: BucketEvent): z.infer<typeof objectOfEvent>[] =>
  'Event' in event ? [] : event.Records.map(({ s3: { object } }) => ({ ...object, key: decoded(object.key) }));

/** Their names, each once. */
export const keysIn = (event: BucketEvent): string[] => [...new Set(objectsIn(event).map(({ key }) => key))];
