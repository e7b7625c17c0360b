package dev.baton.examples.tutorial;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.baton.Deployment;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.examples.tutorial.Step1Chain.Order;
import dev.baton.examples.tutorial.Step1Chain.Priced;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Step 2: an HTTP front with replies. */
public final class Step2Front {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Step2Front() {}

    /** Answers orders with their prices, on the port that is given. */
    public static void main(String[] args) throws IOException {
        try (Stop stop = Stop.onSignal();
                Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1)) {
            serve(Step1Chain.chain().on(transport).with(loops), Priced.CODEC, Integer.parseInt(args[0]), stop);
        }
    }

    static <R> void serve(Deployment deployment, Serde<R> replies, int port, Stop stop) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        try (RunningChain running = deployment.onOutput(in -> {}).start();
                Requests<Order, R> requests = running.requests(Order.CODEC, replies)) {
            server.createContext("/orders", exchange -> {
                Order order = JSON.readValue(exchange.getRequestBody(), Order.class);
                ByteBuffer key = StandardCharsets.UTF_8.encode(order.customer());
                requests.ask(key, order, TIMEOUT)
                        .whenCompleteAsync((reply, failure) -> answer(exchange, reply, failure));
            });
            server.start();
            System.out.println("listening on port " + server.getAddress().getPort());
            stop.await();
            server.stop(1);
        }
    }

    private static void answer(HttpExchange exchange, Optional<?> reply, Throwable failure) {
        try {
            if (failure != null) {
                answer(exchange, 500, failure + "\n");
            } else if (reply.isEmpty()) {
                answer(exchange, 422, "refused\n");
            } else {
                answer(exchange, 200, JSON.writeValueAsString(reply.get()) + "\n");
            }
        } catch (IOException gone) {
            System.err.println("an answer was not sent: " + gone);
        }
    }

    static void answer(HttpExchange exchange, int status, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
