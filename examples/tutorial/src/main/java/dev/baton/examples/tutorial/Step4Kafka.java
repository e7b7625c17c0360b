package dev.baton.examples.tutorial;

import com.sun.net.httpserver.HttpServer;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.examples.tutorial.Step3State.Receipt;
import dev.baton.kafka.KafkaTransport;
import dev.baton.micrometer.BatonMetrics;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.status.ChainStatus.ChainHealth;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Step 4: processes that share the customers, over Kafka. */
public final class Step4Kafka {
    private static final int PARTITIONS = 4;

    private Step4Kafka() {}

    /** Runs the front or a member; the arguments are {@code front} or the name of the member, the port and the brokers. */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[1]);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        BatonMetrics metrics = new BatonMetrics();
        metrics.bindTo(registry);
        try (Stop stop = Stop.onSignal();
                Transport transport = KafkaTransport.at(args[2]);
                Loops loops = metrics.add(Loops.cooperative(1))) {
            Deployment deployment = Step3State.chain().on(transport).with(loops).partitions(PARTITIONS);
            if (args[0].equals("front")) {
                Step2Front.serve(deployment.only(), Receipt.CODEC, port, stop);
                return;
            }
            deployment
                    .member(args[0])
                    .onPartition(change -> System.out.println("partition " + change.partition() + " "
                            + change.kind().text()));
            try (RunningChain running = metrics.start(deployment)) {
                monitor(running, registry, port, stop);
            }
        }
    }

    /** Serves the meters and the health of a chain until the process is to stop. */
    private static void monitor(RunningChain running, PrometheusMeterRegistry registry, int port, Stop stop)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/metrics", exchange -> Step2Front.answer(exchange, 200, registry.scrape()));
        server.createContext("/health", exchange -> {
            ChainHealth health = running.health();
            Step2Front.answer(exchange, health.isHealthy() ? 200 : 503, health + "\n");
        });
        server.start();
        System.out.println("listening on port " + server.getAddress().getPort());
        stop.await();
        server.stop(0);
    }
}
