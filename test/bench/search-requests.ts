import type { LocalStack } from '../../infra/local/start.ts';

/** The stack that receives the requests, its persons table, and an access token. */
export interface Asked {
  readonly stack: LocalStack;
  /** The name of the persons table. */
  readonly table: string;
  readonly token: string;
}

export interface Measured {
  readonly statuses: string;
  /** The number of calls to the persons table per request. */
  readonly calls: string;
  readonly noted: string;
  readonly p50: string;
  readonly p99: string;
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
/** Formats a figure with at most two decimals. */
export const short = (value: number): string => String(Number(value.toFixed(2)));

/** Sends requests one after another through the whole stack. Counts the calls to the persons table and the journal. */
export async function send(
  { stack, table, token }: Asked,
  requests: readonly [path: string, body?: unknown][],
): Promise<Measured> {
  const { journal = 'journal' } = stack.outputs.resources.tables;
  let calls = 0;
  let noted = 0;
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const stopCounting = stack.onAwsCall(({ needs }) => {
    const arns = needs.flatMap(({ resources }) => resources);
    if (arns.some((arn) => arn.includes(table))) calls += 1;
    if (arns.some((arn) => arn.includes(journal))) noted += 1;
  });
  const one = async ([path, body]: [path: string, body?: unknown]): Promise<number> => {
    const response = await fetch(stack.outputs.baseUrl + path, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const warmUps = requests.slice(0, Math.min(10, requests.length / 10));
  for (const request of warmUps) await one(request);
  calls = 0;
  noted = 0;
  for (const request of requests) {
    const begun = performance.now();
    const status = await one(request);
    times.push(performance.now() - begun);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  stopCounting();
  times.sort((a, b) => a - b);
  const answers = [...statuses]
    .toSorted()
    .map(([status, count]) => (statuses.size === 1 ? `${status}` : `${count} × ${status}`));
  return {
    statuses: answers.join(', '),
    calls: short(calls / requests.length),
    noted: short(noted / requests.length),
    p50: at(times, 0.5),
    p99: at(times, 0.99),
  };
}
