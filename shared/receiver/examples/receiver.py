# A complete receiver in Python. To run it: pip install cryptography && python3 receiver.py
import json, os, threading, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote
from verify import is_from_registry

REGISTRY, ACCESS_TOKEN, PORT = (os.environ[name] for name in ("REGISTRY", "ACCESS_TOKEN", "PORT"))
seen, kept, lock = set(), {"at": 0}, threading.Lock()


def keys(oldest):
    if time.time() - kept["at"] > oldest:
        with urllib.request.urlopen(f"{REGISTRY}/v1/.well-known/jwks.json", timeout=5) as answer:
            kept.update(jwks=json.load(answer), at=time.time())
    return kept["jwks"]


class Receiver(BaseHTTPRequestHandler):
    def status(self, body):
        if not any(is_from_registry(self.headers, body, keys(oldest)) for oldest in (300, 1)):
            return 401
        if self.headers["message-type"] == "SubscriptionConfirmation":
            address = f"{REGISTRY}/v1/subscriptions/confirm?token={json.loads(body)['token']}"
            request = urllib.request.Request(address, headers={"Authorization": f"Bearer {ACCESS_TOKEN}"})
            with urllib.request.urlopen(request, timeout=10) as answer:
                return 200 if answer.status == 200 else 500
        with lock:
            if self.headers["message-id"] not in seen:
                print(unquote(self.headers.get("subject", "")), body.decode(), flush=True)
            seen.add(self.headers["message-id"])
        return 200

    def do_POST(self):
        try:
            status = self.status(self.rfile.read(int(self.headers.get("content-length", 0))))
        except Exception:
            status = 500
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(PORT)), Receiver).serve_forever()
