import { scopes } from '../../../shared/contract/scopes.ts';
import type { LocalOutputs } from '../aws/template/outputs.ts';
import type { Paint } from './terminal.ts';

/** What somebody who has just started the stack needs to go on. */
export function banner({ baseUrl, tokenUrl, inboxUrl }: LocalOutputs, outputsFile: string, paint: Paint): string {
  return [
    '',
    `  ${paint.bold('Console')} ${baseUrl}/   (in a browser)`,
    `  ${paint.bold('API')}     ${baseUrl}/v1`,
    `  ${paint.bold('Token')}   ${tokenUrl}`,
    `  ${paint.bold('Inbox')}   ${inboxUrl}`,
    `  ${paint.bold('More')}    ${outputsFile}`,
    '',
    `  ${paint.dim('A token for everything:')}`,
    `  curl -s -u me:secret -d grant_type=client_credentials \\`,
    `    -d scope='${Object.keys(scopes).join(' ')}' \\`,
    `    ${tokenUrl}`,
    '',
    `ready ${baseUrl}`,
  ].join('\n');
}
