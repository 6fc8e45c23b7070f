import * as z from 'zod/mini';

// S3 omits the version id if versioning is not enabled for the bucket. In the example in the S3 documentation, the
// version id is null.
const versionId = z.pipe(
  z.nullable(z.string()),
  z.transform((id) => id ?? undefined),
);

const objectOfEvent = z.object({
  key: z.string(),
  versionId: z.optional(versionId),
  /** The value by which the events for one object are ordered. */
  sequencer: z.optional(z.string()),
});

/** The fields that the service reads from an S3 event ("Event message structure" in the Amazon S3 User Guide). */
const objectEvents = z.object({
  Records: z.array(z.object({ s3: z.object({ object: objectOfEvent }) })),
});

/** The test message that S3 sends when event notifications are configured. */
const trial = z.object({ Event: z.literal('s3:TestEvent') });

/** A queue message from S3. */
export const bucketEvent = z.union([objectEvents, trial]);
type BucketEvent = z.infer<typeof bucketEvent>;

// S3 encodes object keys like HTML form data: a space becomes `+`, and a plus sign becomes `%2B`.
const decoded = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

/** Returns the objects that a message names, including duplicates. A test message has no objects. */
export const objectsIn = (event: BucketEvent): z.infer<typeof objectOfEvent>[] =>
  'Event' in event ? [] : event.Records.map(({ s3: { object } }) => ({ ...object, key: decoded(object.key) }));

/** Returns the object keys in a message, without duplicates. */
export const keysIn = (event: BucketEvent): string[] => [...new Set(objectsIn(event).map(({ key }) => key))];
