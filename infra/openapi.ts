import { openApi } from '../shared/contract/openapi.ts';

// The OpenAPI file, to standard output: `npm run -s openapi > openapi.json`.
console.log(JSON.stringify(openApi(process.argv[2] ?? 'https://registry.example.org'), null, 2));
