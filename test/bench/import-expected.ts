import { applyTo, type RegistryCopy } from '../../infra/local/demo/registry-copy.ts';
import { settingValue } from '../../infra/settings/settings.ts';
import { writeCost } from '../../shared/domain/imports/import-limits.ts';
import { parseChange } from '../../shared/domain/imports/parse-change.ts';
import { settingsOf } from '../harness/variables.ts';
import type { Line } from './import-lines.ts';

const defaults = settingsOf({});
const rules = {
  extraAttributes: settingValue(defaults, 'extraAttributes'),
  uinFormat: settingValue(defaults, 'uinFormat'),
};

/** The expected result of an import, computed by applying the lines one after another. */
export class Expected {
  readonly people: RegistryCopy = new Map();
  /** For each UIN, the number of the last line that changed or removed the person. */
  readonly lastLines = new Map<string, number>();
  /** The last names of registered persons whose UINs the registry generates. */
  readonly minted = new Set<string>();
  /** The line numbers of the changes for which an event is published. */
  readonly published: number[] = [];
  readonly counts = { lines: 0, applied: { register: 0, update: 0, merge: 0, remove: 0 }, repeated: 0, rejected: 0 };
  /** The number of table writes that count toward the `importWritesPerSecond` setting. */
  writes = 0;
  readonly #ids = new Set<string>();

  apply(line: Line): void {
    const parsed = parseChange(line, rules);
    if ('rejected' in parsed) throw new Error(`the import would reject a generated line: ${parsed.rejected.reason}`);
    this.writes += writeCost(parsed.change);
    this.counts.lines += 1;
    if (line.id !== undefined && this.#ids.has(line.id)) {
      this.counts.repeated += 1;
      return;
    }
    if (line.id !== undefined) this.#ids.add(line.id);
    this.counts.applied[line.change] += 1;
    if (line.publish) this.published.push(this.counts.lines);
    if (line.change === 'register' && !('uin' in line)) {
      this.minted.add(String(line.attributes.lastName));
      return;
    }
    applyTo(this.people, { changes: [line] });
    const touched = line.change === 'merge' ? [line.keep, ...line.duplicates] : [line.uin];
    for (const uin of touched) this.lastLines.set(uin, this.counts.lines);
  }
}
