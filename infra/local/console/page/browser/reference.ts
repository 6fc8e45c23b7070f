import { newToken } from '../../../console-page/browser/api.ts';

interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void;
}

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => SwaggerUi;

// The style sheet of the viewer is dark under this class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', follow);
follow();

const ui = SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  // It would ask a server elsewhere whether the file is valid.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // What is tried out is allowed everything.
  onComplete: async () => ui.preauthorizeApiKey('bearer', await newToken()),
});
