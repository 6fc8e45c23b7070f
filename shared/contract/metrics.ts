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

/** Defines a metric that counts events for each function. */
const count = <const From extends Metric['from']>(from: From, meaning: string) =>
  ({ unit: 'Count', by: 'Function', meaning, from }) as const;

/** Defines a metric that records values for each function. */
const measure = <const From extends Metric['from']>(unit: 'Milliseconds' | 'Seconds', from: From, meaning: string) =>
  ({ unit, by: 'Function', meaning, from }) as const;

/** All metrics of the service, by their names in the stage's CloudWatch namespace. */
export const metrics = {
  EventsAccepted: count(
    ['publishEvent', 'importChanges'],
    'published events, not counting repeats with the same Idempotency-Key',
  ),
  FirstAttemptLag: measure(
    'Milliseconds',
    first,
    'time from the publication of an event to the start of its first delivery attempt',
  ),
  FirstAttemptsFailed: count(first, 'failed first attempts to receivers that were not failing before'),
  Attempts: {
    unit: 'Count',
    by: 'Class',
    meaning: 'delivery attempts by result: `delivered`, `http` (rejected), `timeout` and so on',
    from: delivering,
  },
  DeliveryTime: measure('Milliseconds', delivering, 'response time of receivers that accepted a message'),
  DeliveriesFailed: count([...delivering, 'sweep'], 'deliveries that failed permanently'),
  OldestDue: measure(
    'Seconds',
    ['sweep', 'exportJournal', 'exportDeliveries'],
    'age of the oldest due item that the job found (a retry, a reconciliation or an hour to export), 0 if there is none',
  ),
  UinsMinted: count(['generateUin'], 'minted UINs, not counting repeated requests'),
  ImportIdle: measure(
    'Seconds',
    ['importChanges'],
    'time since the current import last made progress, as reported by its runs and by waiting imports',
  ),
  SearchesRefused: count(['findPersons'], 'searches rejected because too many persons match or would have to be read'),
  ConversionTime: measure('Milliseconds', ['readDocument'], 'duration of a document conversion'),
  CallersRefused: {
    unit: 'Count',
    by: 'Reason',
    meaning: 'rejected tokens, by the reason in the log, and calls without the required scope (`scope`)',
    from: ['authorize'],
  },
  Faults: count('all', 'internal errors that the function logged, regardless of its response'),
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** The environment variables for the metrics namespace and for the value of the dimension `Function`. */
export const metricVariables = { namespace: 'METRICS_NAMESPACE', function: 'FUNCTION' } as const;
