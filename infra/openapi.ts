import { openApi } from '../shared/contract/openapi.ts';

const [baseUrl = 'https://registry.example.org', tokenUrl = 'https://issuer.example.org/token'] = process.argv.slice(2);

// The OpenAPI file, to standard output: `npm run -s openapi > openapi.json`.
console.log(JSON.stringify(openApi({ baseUrl, tokenUrl }), null, 2));
