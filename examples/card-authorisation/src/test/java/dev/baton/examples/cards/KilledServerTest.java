package dev.baton.examples.cards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.examples.cards.CardAuthorisation.Decision;
import dev.baton.run.Loops;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Payments over HTTP while the server is killed and started again, over Chronicle. */
@Timeout(120)
@Tag("long")
class KilledServerTest {
    private static final int CLIENTS = 8;
    private static final int PAYMENTS_BEFORE_A_KILL = 200;

    @TempDir
    private Path topics;

    @TempDir
    private Path printed;

    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private CardProcess server;

    @AfterEach
    void end() {
        server.kill();
    }

    private void start() throws IOException {
        server = CardProcess.start(printed, "0", topics.toString()).awaitHttp();
    }

    private void pay(String prefix, String card, CountDownLatch enough) {
        int status = 200;
        for (int number = 0; status != 0; number++) {
            status = server.pay(prefix + number, card, 10);
            if (status == 200) {
                answered.add(prefix + number);
                enough.countDown();
            }
        }
    }

    private void payUntilKilled(int round) throws Exception {
        start();
        CountDownLatch enough = new CountDownLatch(PAYMENTS_BEFORE_A_KILL);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> paying = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            String prefix = round + "-" + client + "-";
            String card = "card-" + client;
            paying.add(clients.submit(() -> pay(prefix, card, enough)));
        }
        enough.await();
        server.kill();
        clients.shutdown();
        for (Future<?> each : paying) {
            each.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void killsLoseAndDoubleNoDecision() throws Exception {
        payUntilKilled(1);
        payUntilKilled(2);
        start();
        assertThat(server.pay("refused", "card-0", 0)).isEqualTo(422);
        assertThat(server.pay("last", "card-0", 10)).isEqualTo(200);
        assertThat(server.stop()).as("exit code after SIGTERM").isEqualTo(143);

        List<String> decided = decided();
        assertThat(decided).doesNotHaveDuplicates().containsAll(answered);
        assertThat(answered).hasSizeGreaterThan(2 * PAYMENTS_BEFORE_A_KILL);
    }

    /** Returns the payments of all decisions in the last topic's partitions. */
    private List<String> decided() {
        List<String> ids = new ArrayList<>();
        try (ChronicleTransport transport = ChronicleTransport.in(topics);
                Loops loops = Loops.manual()) {
            for (int partition = 0; partition < CardAuthorisation.PARTITIONS; partition++) {
                Chain.tap("account", "cards-4@" + partition)
                        .on(transport)
                        .with(loops)
                        .onOutput(Decision.CODEC, (decision, message) -> ids.add(decision.id()))
                        .start()
                        .close(); // takes what the topic holds
            }
        }
        return ids;
    }
}
