import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What the rules of WCAG 2.2 find wrong with the page as it stands, the highest level included.
 * @param without rules that are not for it
 */
export const wrongWith = async (page: Page, without: readonly string[] = []): Promise<unknown[]> =>
  page.evaluate(`(async () => {
    ${axe}
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const rules = Object.fromEntries(${JSON.stringify(without)}.map((id) => [id, { enabled: false }]));
    return (await axe.run({ runOnly, rules })).violations.map(({ id, nodes }) => [id, nodes[0].html]);
  })()`);
