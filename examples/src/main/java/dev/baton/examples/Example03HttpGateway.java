package dev.baton.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.Chain;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.examples.gateway.Body;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * An HTTP server before a chain: a request passes the chain, and its output is the answer. Runs until Ctrl-C.
 *
 * <p>Arguments: {@code disruptor}, {@code chronicle} or {@code kafka}, then a port (default 8080, 0 for a free one), then options as {@code
 * key=value}.
 */
public final class Example03HttpGateway {
    private static final Chain ECHO = Chain.named("gateway")
            .then("pass", () -> (in, out) -> out.forward(in))
            .build();

    private Example03HttpGateway() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        int port = args.length > 1 && !args[1].contains("=") ? Integer.parseInt(args[1]) : 8080;
        String[] names = Stream.of(args).filter(arg -> !arg.matches("\\d+")).toArray(String[]::new);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        CompletableFuture<Void> stop = new CompletableFuture<>();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.complete(null);
            stopped.join();
        }));
        try (ExampleTransport opened = ExampleTransport.of(names);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1);
                RunningChain running =
                        ECHO.on(transport).with(loops).onOutput(in -> {}).start();
                Requests<byte[], byte[]> requests = running.requests(Body.CODEC, Body.CODEC)) {
            server.createContext(
                    "/",
                    exchange -> requests.ask(null, exchange.getRequestBody().readAllBytes(), Duration.ofSeconds(2))
                            .whenCompleteAsync((reply, failure) -> answer(exchange, reply, failure)));
            server.start();
            System.out.println("curl -d hello http:/" + server.getAddress());
            stop.join();
        } finally {
            stopped.complete(null);
        }
    }

    private static void answer(HttpExchange exchange, Optional<byte[]> reply, Throwable failure) {
        byte[] body = failure == null ? reply.orElseThrow() : failure.toString().getBytes();
        try (exchange) {
            exchange.sendResponseHeaders(failure == null ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException gone) {
            System.err.println("an answer was not sent: " + gone);
        }
    }
}
