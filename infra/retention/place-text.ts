import type { Kept } from './kept.ts';

const services = {
  backups: 'DynamoDB, point-in-time recovery',
  logs: 'CloudWatch Logs',
  metrics: 'CloudWatch',
  secrets: 'Secrets Manager',
  traces: 'X-Ray',
  suppressionList: 'SES, suppression list of the account',
} as const;

const code = (text: string): string => `\`${text}\``;

/** Where something is stored, as a table of the READMEs has it. */
export function placeText({ at }: Kept): string {
  if ('table' in at) return `table ${code(at.table)}${at.begins === undefined ? '' : `, ${code(at.begins)}`}`;
  if ('bucket' in at) return `bucket ${code(at.bucket)}, ${code(at.prefix)}${at.isOld ? ', old versions' : ''}`;
  if ('aws' in at) return services[at.aws];
  return at.queues.length === 1 ? `queue ${code(at.queues.join())}` : 'queues of deliveries';
}
