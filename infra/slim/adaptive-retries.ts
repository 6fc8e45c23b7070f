/** What the bundler puts in place of the SDK's adaptive retries, which only `AWS_RETRY_MODE=adaptive` asks for. */
export class AdaptiveRetryStrategy {
  constructor() {
    throw new Error('adaptive retries are not bundled: see infra/slim');
  }
}
