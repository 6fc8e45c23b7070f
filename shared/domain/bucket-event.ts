import * as z from 'zod/mini';

// S3 omits it if the bucket has no versions. In the documented event it is null.
const versionId = z.pipe(
  z.nullable(z.string()),
  z.transform((id) => id ?? undefined),
);

const objectOfEvent = z.object({
  key: z.string(),
  versionId: z.optional(versionId),
  /** Orders the events of one object. */
  sequencer: z.optional(z.string()),
});

/** The parts of an S3 event that the service reads ("Event message structure" in the Amazon S3 User Guide). */
const objectEvents = z.object({
  Records: z.array(z.object({ s3: z.object({ object: objectOfEvent }) })),
});

/** The test message that S3 sends when notifications are configured. */
const trial = z.object({ Event: z.literal('s3:TestEvent') });

/** A message from S3 in a queue. */
export const bucketEvent = z.union([objectEvents, trial]);
export type BucketEvent = z.infer<typeof bucketEvent>;

// Encoded like an HTML form: a space is `+`, and a plus sign is `%2B`.
const decoded = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

/** The objects of a message, with repetitions. A test message has none. */
export const objectsIn = (event: BucketEvent): z.infer<typeof objectOfEvent>[] =>
  'Event' in event ? [] : event.Records.map(({ s3: { object } }) => ({ ...object, key: decoded(object.key) }));

/** The distinct object names. */
export const keysIn = (event: BucketEvent): string[] => [...new Set(objectsIn(event).map(({ key }) => key))];
