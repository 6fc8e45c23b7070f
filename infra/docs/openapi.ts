import { openApi } from '../../shared/contract/openapi.ts';
import { helpOf, OptionError, parseArguments, readOrEnd } from '../operate/command-line.ts';
import { collectionOf } from './collection.ts';

const options = {
  collection: {
    type: 'boolean',
    value: '',
    meaning: 'prints a Postman collection (format 2.1), which Bruno and Insomnia can also import',
  },
} as const;

const usage = helpOf(
  `npm run -s openapi -- [OPTION] [BASE URL] [TOKEN URL] > openapi.json

Prints the OpenAPI file.

  BASE URL            of the deployment (default: https://registry.example.org)
  TOKEN URL           of its token issuer (default: https://issuer.example.org/token)`,
  options,
);

const { urls, isCollection } = readOrEnd(usage, () => {
  const { values, positionals } = parseArguments(process.argv.slice(2), options, 'npm run -s openapi -- --help', 2);
  if (values.help) return 'help';
  const wrong = positionals.find((url) => !/^https?:/.test(url) || !URL.canParse(url));
  if (wrong !== undefined) throw new OptionError(`${wrong} is not a URL that starts with https://`);
  return { urls: positionals, isCollection: values.collection === true };
});
const [baseUrl = 'https://registry.example.org', tokenUrl = 'https://issuer.example.org/token'] = urls;

const file = openApi({ baseUrl, tokenUrl });
const printed = isCollection ? collectionOf(file, tokenUrl) : file;
console.log(JSON.stringify(printed, null, 2));
