package dev.baton.examples.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.BackPressureException;
import dev.baton.Chain;
import dev.baton.ChainClosedException;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.SharedInlet;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * An HTTP front before a chain of services: the body of a request (or, without one, the text behind the question mark) passes through all
 * services, and its output is the answer.
 *
 * <p>Answers find their requests by {@link Requests}. Requests in flight are bounded: beyond that, and when the chain accepts no more, the
 * answer is 503 with {@code Retry-After}; when no answer comes in time it is 504; a body that is too long for the transport is 413; a
 * request without output is 204. Listens on loopback only.
 *
 * <p>An answer of 200 means that the request passed all services; over a durable transport it is then stored in all topics. After a 504 the
 * request may be stored or not. A front that answers before its chain does, for example with 202, uses {@link SharedInlet#offerStored} and
 * answers when that completes.
 *
 * <p>Closing it stops listening, then the chain; transport and loops are the caller's. Thread-safe.
 */
public final class HttpGateway implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    private static final int BACKLOG = 1024;
    private static final int SECONDS_TO_STOP = 0; // waiting requests have no connection any more

    /** Additional threads, so that refusing requests does not wait for answering others. */
    public static final int SPARE_THREADS = 8;

    private static final int RETRY_AFTER_SECONDS = 1;
    private final Chain chain;
    private final int mostBody;
    private final Duration answerWithin;
    private RunningChain running;
    private Requests<byte[], byte[]> requests;
    private HttpServer server;
    private ExecutorService threads;

    private HttpGateway(Chain chain, int mostBody, Duration answerWithin) {
        this.answerWithin = answerWithin;
        this.chain = chain;
        this.mostBody = mostBody;
    }

    /**
     * Starts the chain and listens.
     *
     * @param name of the chain, and so of its topics
     * @param services in the chain
     * @param port 0 for one that is free
     * @param mostInFlight requests that may wait for their answer
     * @throws BindException when the port is in use or not permitted; nothing is left open then
     */
    public static HttpGateway open(
            Transport transport, Loops loops, String name, int services, int port, int mostInFlight)
            throws IOException {
        return open(transport, loops, chain(name, services), port, mostInFlight, ANSWER_WITHIN);
    }

    /** A chain of services that forward each message. */
    static Chain chain(String name, int services) {
        Service passOn = (in, out) -> out.forward(in);
        Chain.Builder builder = Chain.named(name);
        IntStream.rangeClosed(1, services).forEach(i -> builder.then("s" + i, () -> passOn));
        return builder.build();
    }

    /** Opens a front before any chain whose output is its input, of at most the same length. */
    static HttpGateway open(
            Transport transport, Loops loops, Chain chain, int port, int mostInFlight, Duration answerWithin)
            throws IOException {
        int mostBody = transport.maxPayload() - Extension.bytes(Extension.REQUEST_BYTES);
        HttpGateway gateway = new HttpGateway(chain, mostBody, answerWithin);
        // Without it the head of an answer leaves alone, and its body 40 ms later, when the client has acknowledged
        // that.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        gateway.listen(port);
        try {
            gateway.start(transport, loops, mostInFlight);
            return gateway;
        } catch (RuntimeException | Error failure) {
            gateway.close();
            throw failure;
        }
    }

    /** Binds the port before anything else, so that a port in use is found before a chain runs. */
    private void listen(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    }

    private void start(Transport transport, Loops loops, int mostInFlight) {
        running = chain.on(transport).with(loops).onOutput(in -> {}).start();
        requests = running.requests(Body.CODEC, Body.CODEC, mostInFlight);
        int count = mostInFlight + SPARE_THREADS;
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(count, count, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "gateway-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        threads = pool;
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(mostBody + 1);
            String question = exchange.getRequestURI().getRawQuery();
            if (body.length == 0 && question != null) {
                body = question.getBytes(StandardCharsets.UTF_8);
            }
            if (body.length > mostBody) {
                reply(exchange, 413, "the body is longer than the " + mostBody + " bytes that this transport carries");
                return;
            }
            ask(exchange, body);
        }
    }

    private void ask(HttpExchange exchange, byte[] body) throws IOException {
        try {
            Optional<byte[]> answer = requests.ask(null, body, answerWithin).get();
            reply(exchange, answer.isPresent() ? 200 : 204, answer.orElse(new byte[0]));
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof BackPressureException || cause instanceof ChainClosedException) {
                refuse(exchange, cause.getMessage());
            } else {
                reply(exchange, cause instanceof TimeoutException ? 504 : 500, cause.getMessage());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            refuse(exchange, "the gateway is closing");
        }
    }

    private static void refuse(HttpExchange exchange, String why) throws IOException {
        exchange.getResponseHeaders().set("Retry-After", Integer.toString(RETRY_AFTER_SECONDS));
        reply(exchange, 503, why);
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        reply(exchange, status, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void reply(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length); // 0 would mean: of unknown length
        exchange.getResponseBody().write(body);
    }

    /** {@return the address on which it listens} */
    public URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + "/");
    }

    /** The longest body that it takes, in bytes. */
    public int mostBody() {
        return mostBody;
    }

    /** The topics of its chain, for callers that want to delete them afterwards. */
    public List<String> topics() {
        return IntStream.range(0, chain.hops())
                .mapToObj(index -> chain.topic(0, index))
                .toList();
    }

    /** {@return the failure that stopped the chain; null for none} */
    public Throwable failure() {
        return running.failure().orElse(null);
    }

    @Override
    public void close() {
        server.stop(SECONDS_TO_STOP);
        if (threads != null) {
            threads.shutdownNow();
        }
        if (requests != null) {
            requests.close();
        }
        if (running != null) {
            running.close();
        }
    }

    /** Explains in a line why the port of a command line cannot be used. */
    public static String complaint(int port, BindException failed) {
        return "cannot listen on port " + port + ": " + failed.getMessage()
                + "; name a free one as the second argument";
    }
}
