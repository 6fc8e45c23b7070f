import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { type HttpSenderOptions, httpSender } from '../../shared/delivery/http/http-sender.ts';
import { signingKey } from '../../shared/delivery/signing/keyring.ts';
import { signer } from '../../shared/delivery/signing/signature.ts';
import { networks } from '../../shared/domain/network.ts';

/** The network of test receivers. */
export const loopback = networks('127.0.0.0/8', '::1/128');

/** The key with which `aSender` signs deliveries. */
const keyUnderTest = signingKey('a secret of tests');

/** Creates an HTTP sender that signs its deliveries and is allowed to send them to this machine. */
export const aSender = (given: Partial<HttpSenderOptions> = {}) =>
  httpSender({
    timeoutSeconds: 3,
    guard: addressGuard({ allowedNetworks: loopback }),
    sign: signer({ keys: async () => [keyUnderTest], hasHmac: false, now: Date.now }),
    now: Date.now,
    ...given,
  });
