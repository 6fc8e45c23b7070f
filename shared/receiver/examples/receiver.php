<?php
// A complete receiver in PHP with the extension sodium, for a web server. To try it: php -S 0.0.0.0:$PORT receiver.php
// PHP joins repeated headers with a comma and a space. Their signature then does not match, so they are rejected.
const NAMES = ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest'];
const SHAPE = '/(sig\d+)=(\(([^()]*)\);created=(\d{1,12});keyid="([\w-]+)";alg="ed25519")/';

function isFromRegistry(array $headers, string $body, array $jwks): bool
{
    if (($headers['content-digest'] ?? '') !== 'sha-256=:' . base64_encode(hash('sha256', $body, true)) . ':') {
        return false;
    }
    $covered = array_values(array_filter(NAMES, fn($name) => isset($headers[$name])));
    $lines = implode('', array_map(fn($name) => "\"$name\": {$headers[$name]}\n", $covered));
    $wanted = implode(' ', array_map(fn($name) => "\"$name\"", $covered));
    preg_match_all(SHAPE, $headers['signature-input'] ?? '', $parts, PREG_SET_ORDER);
    foreach ($parts as [, $label, $input, $list, $created, $keyid]) {
        preg_match("/$label=:([^:]*):/", $headers['signature'] ?? '', $found);
        $signature = base64_decode($found[1] ?? '', true);
        $isLate = abs(time() - (int) $created) > 300;
        if ($list !== $wanted || $isLate || strlen((string) $signature) !== SODIUM_CRYPTO_SIGN_BYTES) {
            continue;
        }
        foreach ($jwks['keys'] as $key) {
            $public = base64_decode(strtr($key['x'], '-_', '+/'));
            $content = "$lines\"@signature-params\": $input";
            if ($key['kid'] === $keyid && sodium_crypto_sign_verify_detached($signature, $content, $public)) {
                return true;
            }
        }
    }
    return false;
}

function keys(string $registry, int $oldest): array
{
    $file = sys_get_temp_dir() . '/registry-keys-' . md5($registry);
    clearstatcache();
    if (!file_exists($file) || time() - filemtime($file) > $oldest) {
        $within = stream_context_create(['http' => ['timeout' => 5]]);
        $answer = @file_get_contents("$registry/v1/.well-known/jwks.json", false, $within);
        if ($answer === false) {
            throw new Exception('no keys');
        }
        file_put_contents("$file-" . getmypid(), $answer);
        rename("$file-" . getmypid(), $file);
    }
    return json_decode(file_get_contents($file), true);
}

function receive(array $headers, string $body): int
{
    $registry = getenv('REGISTRY');
    $isOurs = fn($oldest) => isFromRegistry($headers, $body, keys($registry, $oldest));
    if (!$isOurs(300) && !$isOurs(1)) {
        return 401;
    }
    if ($headers['message-type'] === 'SubscriptionConfirmation') {
        $address = "$registry/v1/subscriptions/confirm?token=" . json_decode($body, true)['token'];
        $options = ['header' => 'Authorization: Bearer ' . getenv('ACCESS_TOKEN'), 'timeout' => 10];
        return @file_get_contents($address, false, stream_context_create(['http' => $options])) === false ? 500 : 200;
    }
    $seen = fopen(sys_get_temp_dir() . '/registry-' . md5($headers['message-id']), 'c+');
    flock($seen, LOCK_EX);
    if (fread($seen, 1) === '') {
        error_log(rawurldecode($headers['subject'] ?? '') . ' ' . $body);
        fwrite($seen, '1');
    }
    return 200;
}

try {
    $status = receive(array_change_key_case(getallheaders()), file_get_contents('php://input'));
} catch (Throwable) {
    $status = 500;
}
http_response_code($status);
