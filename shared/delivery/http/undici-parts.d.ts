// undici does not export these parts. Loading all of undici takes 50 ms of CPU time; these parts take 30 ms.

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export = Agent;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';

  export = buildConnector;
}
