/** Where attempts to deliver are made. */
const delivering = [
  'deliverByHttp',
  'deliverToMany',
  'deliverSlowly',
  'askByHttp',
  'deliverByEmail',
  'askByEmail',
] as const;
/** Those of them that make the first attempts of whoever is not failing. */
const first = ['deliverByHttp', 'deliverToMany', 'deliverByEmail'] as const;

interface Metric {
  /** As CloudWatch calls it. A count is added up within an invocation, of anything else each value is kept. */
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  /** Its one dimension: each value of it is a metric of its own, which CloudWatch charges by the month. */
  readonly by: 'Function' | 'Class' | 'Reason';
  readonly meaning: string;
  /** The functions that tell it; `all`: whichever it happens to. */
  readonly from: 'all' | readonly string[];
}

/** Every metric of the registry's own, by the name that it has in CloudWatch, in the stage's namespace. */
export const metrics = {
  EventsAccepted: {
    unit: 'Count',
    by: 'Function',
    meaning: 'events published; one that is published again under its key is not counted again',
    from: ['publishEvent', 'importChanges'],
  },
  FirstAttemptLag: {
    unit: 'Milliseconds',
    by: 'Function',
    meaning: 'from the publication of an event to the beginning of the first attempt to deliver it',
    from: first,
  },
  FirstAttemptsFailed: {
    unit: 'Count',
    by: 'Function',
    meaning: 'first attempts that have failed, of receivers that were not failing before',
    from: first,
  },
  Attempts: {
    unit: 'Count',
    by: 'Class',
    meaning: 'attempts to deliver, by what became of them: `delivered`, `http` (refused), `timeout` and so on',
    from: delivering,
  },
  DeliveryTime: {
    unit: 'Milliseconds',
    by: 'Function',
    meaning: 'how long receivers took that accepted a message',
    from: delivering,
  },
  DeliveriesFailed: {
    unit: 'Count',
    by: 'Function',
    meaning: 'deliveries that have failed for good',
    from: [...delivering, 'sweep'],
  },
  OldestDue: {
    unit: 'Seconds',
    by: 'Function',
    meaning:
      'for how long the oldest that the job found has been due: a retry or an audit, or an hour that is to be exported; 0 where none is',
    from: ['sweep', 'exportJournal', 'exportDeliveries'],
  },
  UinsMinted: {
    unit: 'Count',
    by: 'Function',
    meaning: 'UINs given out; one that is answered again to a repeated request is not counted again',
    from: ['generateUin'],
  },
  ImportIdle: {
    unit: 'Seconds',
    by: 'Function',
    meaning:
      'for how long the import that has its turn has not come further, as runs of it, or of another that waits, find it',
    from: ['importChanges'],
  },
  SearchesRefused: {
    unit: 'Count',
    by: 'Function',
    meaning: 'searches refused because too many persons match, or would have to be read',
    from: ['findPersons'],
  },
  ConversionTime: {
    unit: 'Milliseconds',
    by: 'Function',
    meaning: 'how long the conversion of a document took',
    from: ['readDocument'],
  },
  CallersRefused: {
    unit: 'Count',
    by: 'Reason',
    meaning: 'tokens not taken, by the reason that the log has, and calls that a good token does not allow (`scope`)',
    from: ['authorize'],
  },
  Faults: {
    unit: 'Count',
    by: 'Function',
    meaning: 'faults of ours that the function has logged, whatever it answered',
    from: 'all',
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** The environment variables that tell a function the namespace of its metrics, and what it is called in the dimension `Function`. */
export const metricVariables = { namespace: 'METRICS_NAMESPACE', function: 'FUNCTION' } as const;
