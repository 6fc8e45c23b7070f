/** The functions that make delivery attempts. */
const delivering = [
  'deliverByHttp',
  'deliverToMany',
  'deliverSlowly',
  'requestConfirmationByHttp',
  'deliverByEmail',
  'requestConfirmationByEmail',
] as const;
/** The functions that make first attempts to receivers that are not failing. */
const first = ['deliverByHttp', 'deliverToMany', 'deliverByEmail'] as const;

interface Metric {
  /** The unit in CloudWatch. Counts are summed per invocation. Other values are recorded individually. */
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  /** The only dimension. CloudWatch bills each value of the dimension as a separate metric. */
  readonly by: 'Function' | 'Class' | 'Reason';
  readonly meaning: string;
  /** The functions that emit the metric. */
  readonly from: 'all' | readonly string[];
}

/** All metrics of the service, by their names in the stage's CloudWatch namespace. */
export const metrics = {
  EventsAccepted: {
    unit: 'Count',
    by: 'Function',
    meaning: 'published events, not counting repeats with the same Idempotency-Key',
    from: ['publishEvent', 'importChanges'],
  },
  FirstAttemptLag: {
    unit: 'Milliseconds',
    by: 'Function',
    meaning: 'time from the publication of an event to the start of its first delivery attempt',
    from: first,
  },
  FirstAttemptsFailed: {
    unit: 'Count',
    by: 'Function',
    meaning: 'failed first attempts to receivers that were not failing before',
    from: first,
  },
  Attempts: {
    unit: 'Count',
    by: 'Class',
    meaning: 'delivery attempts by result: `delivered`, `http` (rejected), `timeout` and so on',
    from: delivering,
  },
  DeliveryTime: {
    unit: 'Milliseconds',
    by: 'Function',
    meaning: 'response time of receivers that accepted a message',
    from: delivering,
  },
  DeliveriesFailed: {
    unit: 'Count',
    by: 'Function',
    meaning: 'deliveries that failed permanently',
    from: [...delivering, 'sweep'],
  },
  OldestDue: {
    unit: 'Seconds',
    by: 'Function',
    meaning:
      'age of the oldest due item that the job found (a retry, a reconciliation or an hour to export), 0 if there is none',
    from: ['sweep', 'exportJournal', 'exportDeliveries'],
  },
  UinsMinted: {
    unit: 'Count',
    by: 'Function',
    meaning: 'minted UINs, not counting repeated requests',
    from: ['generateUin'],
  },
  ImportIdle: {
    unit: 'Seconds',
    by: 'Function',
    meaning: 'time since the current import last made progress, as reported by its runs and by waiting imports',
    from: ['importChanges'],
  },
  SearchesRefused: {
    unit: 'Count',
    by: 'Function',
    meaning: 'searches rejected because too many persons match or would have to be read',
    from: ['findPersons'],
  },
  ConversionTime: {
    unit: 'Milliseconds',
    by: 'Function',
    meaning: 'duration of a document conversion',
    from: ['readDocument'],
  },
  CallersRefused: {
    unit: 'Count',
    by: 'Reason',
    meaning: 'rejected tokens, by the reason in the log, and calls without the required scope (`scope`)',
    from: ['authorize'],
  },
  Faults: {
    unit: 'Count',
    by: 'Function',
    meaning: 'internal errors that the function logged, regardless of its response',
    from: 'all',
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** The environment variables for the metrics namespace and for the value of the dimension `Function`. */
export const metricVariables = { namespace: 'METRICS_NAMESPACE', function: 'FUNCTION' } as const;
