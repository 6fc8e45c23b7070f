import { newToken } from './api.ts';

interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void;
}

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => SwaggerUi;

// Swagger UI uses its dark theme if the root element has the class `dark-mode`.
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', applyTheme);
applyTheme();

const ui = SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  // By default, Swagger UI sends the OpenAPI file to an external validator.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // Requests that users send with "Try it out" contain a token with all scopes.
  onComplete: async () => ui.preauthorizeApiKey('bearer', await newToken()),
});
