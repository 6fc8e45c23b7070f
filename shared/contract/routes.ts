import { methodsOf } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

/**
 * The fields of each operation that the authorizer needs. The routes are plain data, so that the bundle of the
 * authorizer does not need to contain the endpoints.
 */
export const routes = endpoints.map((endpoint) => ({
  path: endpoint.path,
  scopes: endpoint.scopes,
  methods: methodsOf(endpoint),
}));
