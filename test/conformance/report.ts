import { printTable } from '../bench/terminal.ts';
import type { Outcome, Result } from './run.ts';

const counted = (results: readonly Result[], outcome: Outcome): number =>
  results.filter((result) => result.outcome === outcome).length;

const count = (persons: number): string => (persons === 1 ? '1 person' : `${persons} persons`);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** What remains, because the interface has no way to take it away. */
const remains = (results: readonly Result[]) => ({ persons: results.reduce((sum, { persons }) => sum + persons, 0) });

/** The table of sentences, those that do not hold once more at its end, where they are seen. */
export function printReport(results: readonly Result[]): void {
  printTable(
    ['section', 'sentence', 'result', 'reason'],
    results.map(({ section, sentence, outcome, reason }) => [section, sentence, outcome, oneLine(reason)].map(String)),
  );
  for (const { section, sentence, reason } of results.filter(({ outcome }) => outcome === 'failed')) {
    console.log(`\nfailed: ${section}: ${sentence}\n  ${oneLine(reason)}`);
  }
  const [ok, failed, notTried] = (['ok', 'failed', 'not tried'] as const).map((outcome) => counted(results, outcome));
  console.log(`\n${results.length} sentences: ${ok} ok, ${failed} failed, ${notTried} not tried`);
  console.log(`taken away: the topics and subscriptions; what remains: ${count(remains(results).persons)}`);
}

/** The same for programs. */
export function printJson(results: readonly Result[], baseUrl: string): void {
  const [ok, failed, notTried] = (['ok', 'failed', 'not tried'] as const).map((outcome) => counted(results, outcome));
  console.log(JSON.stringify({ baseUrl, ok, failed, notTried, remains: remains(results), results }, null, 2));
}
