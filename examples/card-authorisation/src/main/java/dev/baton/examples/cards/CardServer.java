package dev.baton.examples.cards;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.examples.cards.CardAuthorisation.Decision;
import dev.baton.examples.cards.CardAuthorisation.Payment;
import dev.baton.kafka.KafkaTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers payments over HTTP with decisions, until SIGTERM: {@code CardServer PORT DIRECTORY} or {@code CardServer PORT kafka:SERVERS}. */
public final class CardServer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private CardServer() {}

    /** Runs the server. */
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
        CompletableFuture<Void> stop = new CompletableFuture<>();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.complete(null);
            stopped.join();
        }));
        try (Transport transport = args[1].startsWith("kafka:")
                        ? KafkaTransport.at(args[1].substring("kafka:".length()))
                        : ChronicleTransport.in(Path.of(args[1]));
                Loops loops = Loops.cooperative(1);
                RunningChain running = CardAuthorisation.chain(CardServer::limit)
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {})
                        .start();
                Requests<Payment, Decision> requests = running.requests(Payment.CODEC, Decision.CODEC)) {
            server.createContext("/payments", exchange -> {
                Payment payment = JSON.readValue(exchange.getRequestBody(), Payment.class);
                requests.ask(StandardCharsets.UTF_8.encode(payment.card()), payment, TIMEOUT)
                        .whenCompleteAsync((decision, failure) -> answer(
                                exchange,
                                failure == null ? 200 : 422,
                                failure == null ? decision.orElseThrow() : Map.of("error", failure.getMessage())));
            });
            server.start();
            System.out.println("listening on " + server.getAddress().getPort());
            stop.join();
            server.stop(1);
        } finally {
            stopped.complete(null);
        }
    }

    /** Stands for a register of cards that takes 5 ms to answer. */
    private static long limit(String card) throws InterruptedException {
        Thread.sleep(5);
        return 100_000;
    }

    private static void answer(HttpExchange exchange, int status, Object body) {
        try (exchange) {
            byte[] json = JSON.writeValueAsBytes(body);
            exchange.sendResponseHeaders(status, json.length);
            exchange.getResponseBody().write(json);
        } catch (IOException gone) {
            System.err.println("an answer was not sent: " + gone);
        }
    }
}
