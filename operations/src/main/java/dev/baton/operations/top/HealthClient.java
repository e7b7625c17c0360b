package dev.baton.operations.top;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.WholeNumbers;
import dev.baton.operations.service.Health;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/** Asks one process for its health, over HTTP. Confined to one thread. */
public final class HealthClient implements ProcessClient {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 5_000; // the process waits for blocked loops
    private static final int MOST_BYTES = 8 << 20;
    private static final String FOREIGN = "the server at this address is not a service process of Baton";

    private final String host;
    private final int port;

    private HealthClient(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Creates a client of a port, of a host and a port, or of the address that a service process logs. */
    public static HealthClient of(String typed) {
        String address = typed.replaceFirst("^http://", "").replaceFirst("/(health)?$", "");
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? LOOPBACK : address.substring(0, colon);
        try {
            int port = WholeNumbers.parse(address.substring(colon + 1));
            if (port >= 1
                    && port <= 65_535
                    && new URI("http", null, host, port, "/health", null, null).getHost() != null) {
                return new HealthClient(host, port);
            }
        } catch (NumberFormatException | URISyntaxException malformed) {
            // said below
        }
        throw CommandException.usage("'" + typed
                + "' names no process; write a port, HOST:PORT or http://HOST:PORT/health, as the service logs it");
    }

    @Override
    public String name() {
        return host + ":" + port;
    }

    @Override
    public ProcessReading read() {
        long now = System.nanoTime();
        try {
            return ProcessReading.of(now, ask());
        } catch (IOException unanswered) {
            return ProcessReading.failed(now, unanswered.getMessage());
        } catch (IllegalArgumentException foreign) {
            return ProcessReading.failed(now, FOREIGN);
        }
    }

    /** Blocks for some seconds at most. @throws IOException whose message gives the reason in a sentence */
    public JsonNode ask() throws IOException {
        JsonNode health = null;
        try {
            HttpURLConnection connection = (HttpURLConnection) new URI("http", null, host, port, "/health", null, null)
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(CONNECT_MILLIS);
            connection.setReadTimeout(READ_MILLIS);
            try {
                health = answer(connection);
            } finally {
                connection.disconnect();
            }
        } catch (ConnectException refused) {
            throw new IOException(
                    "nothing listens there; is the process running, with --http " + shownPort() + "?", refused);
        } catch (SocketTimeoutException late) {
            throw new IOException("no answer within " + READ_MILLIS / 1_000 + " s", late);
        } catch (UnknownHostException unknown) {
            throw new IOException("host " + host + " is not known", unknown);
        } catch (JsonProcessingException foreign) {
            health = null;
        } catch (IOException | URISyntaxException broken) {
            throw new IOException("no answer: " + broken.getMessage(), broken);
        }
        if (health == null) {
            throw new IOException(FOREIGN);
        }
        return health;
    }

    private String shownPort() {
        return LOOPBACK.equals(host) ? Integer.toString(port) : host + ":" + port;
    }

    /** Returns the answer; null when another program than a service process answers. */
    private static JsonNode answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        boolean isHealth = status == HttpURLConnection.HTTP_OK || status == HttpURLConnection.HTTP_UNAVAILABLE;
        if (isHealth) {
            try (InputStream body =
                    status == HttpURLConnection.HTTP_OK ? connection.getInputStream() : connection.getErrorStream()) {
                JsonNode health = Health.JSON.readTree(body == null ? new byte[0] : body.readNBytes(MOST_BYTES));
                if (health != null && health.hasNonNull("state")) {
                    return health;
                }
            }
        }
        return null;
    }
}
