/**
 * What the bundler puts in place of `@smithy/core/event-streams`: none of our operations streams events. The SDK loads it with
 * `import()`, and so all that it shares with it would be wrapped, and nothing of that be left out.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('event streams are not bundled: see infra/slim');
  }
}

export const eventStreamSerdeProvider = (): undefined => undefined;

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
