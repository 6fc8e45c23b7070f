# Verifies a delivery. `headers` are an email.message.Message, as in http.server; `jwks` is the parsed JSON of the keys.
import base64, hashlib, re, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

NAMES = ["message-type", "message-id", "topic-id", "subject", "content-digest"]
SHAPE = re.compile(r'(sig\d+)=(\(([^()]*)\);created=(\d{1,12});keyid="([\w-]+)";alg="ed25519")', re.ASCII)


def is_from_registry(headers, body, jwks):
    def value(name):
        return ", ".join(headers.get_all(name, []))

    if any(len(headers.get_all(name, [])) > 1 for name in NAMES):
        return False
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    if value("content-digest") != f"sha-256=:{digest}:":
        return False
    covered = [name for name in NAMES if name in headers]
    lines = "".join(f'"{name}": {value(name)}\n' for name in covered)
    wanted = " ".join(f'"{name}"' for name in covered)
    keys = {key["kid"]: base64.urlsafe_b64decode(key["x"] + "==") for key in jwks["keys"]}
    for label, given, names, created, keyid in SHAPE.findall(value("signature-input")):
        signature = re.search(f"{label}=:([^:]*):", value("signature"))
        if keyid not in keys or not signature or names != wanted or abs(time.time() - int(created)) > 300:
            continue
        try:
            content = f'{lines}"@signature-params": {given}'.encode()
            Ed25519PublicKey.from_public_bytes(keys[keyid]).verify(base64.b64decode(signature[1]), content)
            return True
        except (InvalidSignature, ValueError):
            continue
    return False
