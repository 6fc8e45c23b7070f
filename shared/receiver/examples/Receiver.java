// A complete receiver in Java 17 without dependencies. To run it: java Receiver.java
import com.sun.net.httpserver.*;
import java.math.BigInteger;
import java.net.*;
import java.net.http.*;
import java.security.*;
import java.security.spec.*;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import java.util.stream.*;

public class Receiver {
  static final List<String> NAMES = List.of("message-type", "message-id", "topic-id", "subject", "content-digest");
  static final Pattern SHAPE =
      Pattern.compile("(sig\\d+)=(\\(([^()]*)\\);created=(\\d{1,12});keyid=\"([\\w-]+)\";alg=\"ed25519\")");
  static final HttpClient CLIENT = HttpClient.newHttpClient();
  static final String REGISTRY = System.getenv("REGISTRY");
  static final Set<String> SEEN = new HashSet<>();
  static Map<String, PublicKey> keys = Map.of();
  static Instant keptAt = Instant.EPOCH;

  static PublicKey key(String x) throws GeneralSecurityException {
    byte[] bytes = Base64.getUrlDecoder().decode(x);
    for (int low = 0, high = bytes.length - 1; low < high; low++, high--) {
      byte swapped = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = swapped;
    }
    boolean isOdd = (bytes[0] & 0x80) != 0;
    bytes[0] &= 0x7f;
    var point = new EdECPoint(isOdd, new BigInteger(1, bytes));
    return KeyFactory.getInstance("Ed25519").generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
  }

  static String field(String json, String name) {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  static synchronized Map<String, PublicKey> keys(long oldest) throws Exception {
    if (keptAt.isAfter(Instant.now().minusSeconds(oldest))) return keys;
    var request = HttpRequest.newBuilder(URI.create(REGISTRY + "/v1/.well-known/jwks.json")).build();
    var answer = CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()).get(5, TimeUnit.SECONDS);
    if (answer.statusCode() != 200) throw new IllegalStateException("keys: " + answer.statusCode());
    var read = new HashMap<String, PublicKey>();
    for (String one : answer.body().split("\\}")) {
      if (one.contains("\"kid\"")) read.put(field(one, "kid"), key(field(one, "x")));
    }
    keptAt = Instant.now();
    return keys = read;
  }

  static boolean isFromRegistry(Headers headers, byte[] body, Map<String, PublicKey> keys) throws Exception {
    String digest = Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(body));
    if (!("sha-256=:" + digest + ":").equals(headers.getFirst("content-digest"))) return false;
    if (NAMES.stream().anyMatch(name -> headers.getOrDefault(name, List.of()).size() > 1)) return false;
    var covered = NAMES.stream().filter(headers::containsKey).toList();
    String lines = covered.stream()
        .map(name -> "\"" + name + "\": " + headers.getFirst(name) + "\n")
        .collect(Collectors.joining());
    String wanted = covered.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(" "));
    String signatures = String.join(", ", headers.getOrDefault("signature", List.of()));
    var part = SHAPE.matcher(String.join(", ", headers.getOrDefault("signature-input", List.of())));
    while (part.find()) {
      var found = Pattern.compile(part.group(1) + "=:([^:]*):").matcher(signatures);
      boolean isFresh = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(part.group(4))) <= 300;
      PublicKey key = keys.get(part.group(5));
      if (key == null || !isFresh || !found.find() || !part.group(3).equals(wanted)) continue;
      var verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update((lines + "\"@signature-params\": " + part.group(2)).getBytes());
      try {
        if (verifier.verify(Base64.getDecoder().decode(found.group(1)))) return true;
      } catch (SignatureException | IllegalArgumentException notOne) {
        continue;
      }
    }
    return false;
  }

  static int receive(Headers headers, byte[] body) throws Exception {
    if (!isFromRegistry(headers, body, keys(300)) && !isFromRegistry(headers, body, keys(1))) return 401;
    if (headers.getFirst("message-type").equals("SubscriptionConfirmation")) {
      var address = URI.create(REGISTRY + "/v1/subscriptions/confirm?token=" + field(new String(body), "token"));
      var request = HttpRequest.newBuilder(address).header("Authorization", "Bearer " + System.getenv("ACCESS_TOKEN"));
      var answer = CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding()).get(10, TimeUnit.SECONDS);
      return answer.statusCode() == 200 ? 200 : 500;
    }
    synchronized (SEEN) {
      if (SEEN.contains(headers.getFirst("message-id"))) return 200;
      String subject = Objects.requireNonNullElse(headers.getFirst("subject"), "").replace("+", "%2B");
      System.out.println(URLDecoder.decode(subject, "UTF-8") + " " + new String(body, "UTF-8"));
      SEEN.add(headers.getFirst("message-id"));
    }
    return 200;
  }

  public static void main(String[] args) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(Integer.parseInt(System.getenv("PORT"))), 0);
    server.setExecutor(Executors.newFixedThreadPool(16));
    server.createContext("/", exchange -> {
      int status = 500;
      try {
        status = receive(exchange.getRequestHeaders(), exchange.getRequestBody().readAllBytes());
      } catch (Exception error) {
        System.err.println(error);
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
