package dev.baton.examples.cards;

import static dev.baton.examples.cards.CardAuthorisation.PARTITIONS;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RequestFailedException;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers payments over HTTP with decisions, until SIGTERM: {@code CardServer PORT DIRECTORY} over Chronicle, {@code CardServer
 * PORT kafka:SERVERS} over Kafka. There, processes that are started with a name instead of a port share the cards with it.
 */
public final class CardServer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CardServer() {}

    /** Runs the server, or a further process. */
    public static void main(String[] args) throws Exception {
        CompletableFuture<Void> stop = new CompletableFuture<>();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.complete(null);
            stopped.join();
        }));
        Chain chain = CardAuthorisation.chain(card -> {
            Thread.sleep(5); // stands for a register of cards that takes 5 ms to answer
            return 100_000;
        });
        try (Transport transport = args[1].startsWith("kafka:")
                        ? KafkaTransport.at(args[1].substring("kafka:".length()))
                        : ChronicleTransport.in(Path.of(args[1]));
                Loops loops = Loops.cooperative(1)) {
            Deployment services = chain.on(transport).with(loops).partitions(PARTITIONS);
            if (transport.sharesPartitions()) {
                services.member(args[0]).onPartition(System.out::println);
            }
            RunningChain running = services.start();
            try (running) {
                if (args[0].matches("\\d+")) {
                    serve(chain.on(transport).with(loops).partitions(PARTITIONS), Integer.parseInt(args[0]), stop);
                }
                stop.join();
            }
        } finally {
            stopped.complete(null);
        }
    }

    private static void serve(Deployment front, int port, CompletableFuture<Void> stop) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        try (RunningChain running = front.only().onOutput(in -> {}).start();
                Requests<Payment, Decision> requests = running.requests(Payment.CODEC, Decision.CODEC)) {
            server.createContext("/payments", exchange -> {
                Payment payment = JSON.readValue(exchange.getRequestBody(), Payment.class);
                requests.ask(StandardCharsets.UTF_8.encode(payment.card()), payment, Duration.ofSeconds(5))
                        .whenCompleteAsync((decision, failure) -> answer(exchange, decision, failure));
            });
            server.start();
            System.out.println("listening on " + server.getAddress().getPort());
            stop.join();
            server.stop(1);
        }
    }

    private static void answer(HttpExchange exchange, Optional<Decision> decision, Throwable failure) {
        try (exchange) {
            Object body = failure == null ? decision.orElseThrow() : Map.of("error", "" + failure.getMessage());
            byte[] json = JSON.writeValueAsBytes(body);
            int status = failure == null ? 200 : failure instanceof RequestFailedException ? 422 : 503;
            exchange.sendResponseHeaders(status, json.length);
            exchange.getResponseBody().write(json);
        } catch (IOException gone) {
            System.err.println("an answer was not sent: " + gone);
        }
    }
}
