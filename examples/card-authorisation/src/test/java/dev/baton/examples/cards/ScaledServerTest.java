package dev.baton.examples.cards;

import static dev.baton.examples.cards.CardAuthorisation.PARTITIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.Serde;
import dev.baton.examples.cards.CardAuthorisation.Decision;
import dev.baton.examples.cards.CardAuthorisation.Limited;
import dev.baton.examples.cards.CardAuthorisation.Payment;
import dev.baton.examples.cards.CardAuthorisation.Scored;
import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Payments over HTTP while the number of processes goes from one to three and back, over Kafka. */
@Tag("long")
@Timeout(180)
class ScaledServerTest {
    private static final int CLIENTS = 4; // two for each group of cards
    private static final int CARDS = 15; // of a group
    private static final int PAYMENTS = 100; // between two changes
    private static final Duration PAUSE = Duration.ofMillis(50); // of a client after a payment
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path printed;

    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    @Test
    void scalingLosesDoublesAndReordersNothing() throws Exception {
        ScheduledExecutorService clients = Executors.newScheduledThreadPool(CLIENTS);
        try (EmbeddedKafka broker = EmbeddedKafka.start()) {
            String servers = "kafka:" + broker.bootstrapServers();
            try (CardProcess first = CardProcess.start(printed, "0", servers).awaitHttp()) {
                List<Future<?>> paying = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    paying.add(clients.scheduleWithFixedDelay(
                            new Client(first, client), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS));
                }
                awaitPayments();
                try (CardProcess second = CardProcess.start(printed, "second", servers)) {
                    awaitShares(PARTITIONS / 2, first, second);
                    try (CardProcess third = CardProcess.start(printed, "third", servers)) {
                        awaitShares(PARTITIONS / 3, first, second, third);
                        awaitPayments();
                        assertThat(second.stop()).as("exit code after SIGTERM").isEqualTo(143);
                        assertThat(third.stop()).as("exit code after SIGTERM").isEqualTo(143);
                    }
                }
                awaitShares(PARTITIONS, first);
                awaitPayments();
                assertThat(paying).as("clients that failed").noneMatch(Future::isDone);
                clients.shutdown();
                assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
                assertThat(first.stop()).as("exit code after SIGTERM").isEqualTo(143);
            }
            account(broker.bootstrapServers());
        } finally {
            clients.shutdownNow();
        }
    }

    /** Makes one payment at each call, by the cards of its group in turn. */
    private final class Client implements Runnable {
        private final CardProcess server;
        private final int client;
        private int number;

        Client(CardProcess server, int client) {
            this.server = server;
            this.client = client;
        }

        @Override
        public void run() {
            String id = client + "-" + number;
            String card = "card-" + client / 2 + "-" + number % CARDS;
            if (server.pay(id, card, 1 + number % 7) == 200) {
                answered.add(id);
            }
            number++;
        }
    }

    private static void awaitShares(int partitions, CardProcess... processes) {
        await("a share for each")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(processes)
                        .allSatisfy(process -> assertThat(process.held()).hasSize(partitions)));
    }

    private void awaitPayments() {
        int before = answered.size();
        await("payments").atMost(LIMIT).until(() -> answered.size() >= before + PAYMENTS);
    }

    /** Compares payments, scores and decisions of each partition. */
    private void account(String servers) {
        Set<String> decided = new HashSet<>();
        try (KafkaTransport transport = KafkaTransport.at(servers);
                Loops loops = Loops.cooperative(1)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Reader reader = new Reader(transport, loops, partition);
                List<Payment> payments = reader.read("cards-0", Payment.CODEC, (payment, in) -> payment);
                List<Taken> taken = reader.read(
                        "cards-2", Limited.CODEC, (limited, in) -> new Taken(limited.payment(), in.sentNanos()));
                List<Scored> scores = reader.read("cards-3", Scored.CODEC, (scored, in) -> scored);
                List<String> decisions = reader.read("cards-4", Decision.CODEC, (decision, in) -> decision.id());
                assertThat(taken).extracting(Taken::payment).isEqualTo(payments);
                assertThat(scores).extracting(Scored::payment).isEqualTo(payments);
                assertThat(decisions)
                        .isEqualTo(payments.stream().map(Payment::id).toList());
                for (int i = 0; i < scores.size(); i++) {
                    assertThat(scores.get(i).spent())
                            .as("spent by %s", scores.get(i).payment())
                            .isBetween(spent(taken.subList(0, i + 1), 59), spent(taken.subList(0, i + 1), 61));
                }
                decisions.forEach(id -> assertThat(decided.add(id)).as(id).isTrue());
            }
        }
        assertThat(decided).containsAll(answered);
    }

    /** Returns what the card of the newest payment has spent within this time before it. */
    private static long spent(List<Taken> taken, long seconds) {
        Taken newest = taken.get(taken.size() - 1);
        return taken.stream()
                .filter(each -> each.payment.card().equals(newest.payment.card()))
                .filter(each -> newest.nanos - each.nanos < TimeUnit.SECONDS.toNanos(seconds))
                .mapToLong(each -> each.payment.cents())
                .sum();
    }

    /** A payment, and when the service that keeps the windows could take it. */
    private record Taken(Payment payment, long nanos) {}

    private record Reader(KafkaTransport transport, Loops loops, int partition) {
        <T, R> List<R> read(String topic, Serde<T> codec, BiFunction<T, Message, R> view) {
            String name = topic + "@" + partition;
            List<R> values = new CopyOnWriteArrayList<>();
            try (TopicInspector inspector = transport.inspect(name);
                    RunningChain tap = Chain.tap("account", name)
                            .on(transport)
                            .with(loops)
                            .onOutput(codec, (value, message) -> values.add(view.apply(value, message)))
                            .start()) {
                await(name).atMost(LIMIT).until(() -> values.size() == inspector.newestSequence());
                assertThat(tap.failure()).isEmpty();
            }
            return values;
        }
    }
}
