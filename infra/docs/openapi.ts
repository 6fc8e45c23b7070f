import { openApi } from '../../shared/contract/openapi.ts';
import { OptionError, parseArguments, readOrEnd } from '../operate/command-line.ts';

const usage = `npm run -s openapi -- [BASE URL] [TOKEN URL] > openapi.json

Prints the OpenAPI file.

  BASE URL   of the deployment (default: https://registry.example.org)
  TOKEN URL  of its token issuer (default: https://issuer.example.org/token)`;

const urls = readOrEnd(usage, () => {
  const { values, positionals } = parseArguments(process.argv.slice(2), {}, 'npm run -s openapi -- --help', 2);
  if (values.help) return 'help';
  const wrong = positionals.find((url) => !/^https?:/.test(url) || !URL.canParse(url));
  if (wrong !== undefined) throw new OptionError(`${wrong} is not a URL: it must start with https://`);
  return positionals;
});
const [baseUrl = 'https://registry.example.org', tokenUrl = 'https://issuer.example.org/token'] = urls;

console.log(JSON.stringify(openApi({ baseUrl, tokenUrl }), null, 2));
