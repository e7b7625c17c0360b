package dev.baton.lab.study.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.lab.study.chaos.ChainScenario;
import dev.baton.lab.study.window.ForgetfulWindow;
import dev.baton.lab.trial.Transports;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The account of a window: over a real queue, with processes that end, a planted fault, and damage in its topic. */
@Timeout(300)
class WindowResultsTest {
    private static final long SEED = 5;
    private static final int INTERVAL = 1_000;
    private static final long BASE = 1_000_000_007;
    private static final long RETRY_NANOS = 100_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String INPUT = ChainScenario.topic(0);
    private static final String OUTPUT = ChainScenario.topic(1);
    private static final String DAMAGED = "damaged";
    private static final int KEYS = WindowResults.KEYS;

    @TempDir
    private Path temporary;

    private Transport transport;

    @BeforeEach
    void open() {
        transport = Transports.named("chronicle")
                .open(Map.of("dir", temporary.resolve("queues").toString()));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    /** Sends the messages up to this number, and ends in order. */
    private void live(Supplier<Service> window, int newest) {
        Chain chain = Chain.named(ChainScenario.CHAIN).then("s1", window).build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport).with(loops).start()) {
            for (long number = running.inlet().sequence() + 1; number <= newest; number++) {
                send(running, number);
            }
            assertThat(running.close(LIMIT)).isTrue();
        }
    }

    private static void send(RunningChain running, long number) {
        Claim claim = running.inlet()
                .tryClaim(NumberedMessage.BYTES, new MessageFields().originNanos(BASE + number * INTERVAL));
        while (claim == null) {
            LockSupport.parkNanos(RETRY_NANOS);
            claim = running.inlet()
                    .tryClaim(NumberedMessage.BYTES, new MessageFields().originNanos(BASE + number * INTERVAL));
        }
        NumberedMessage.write(claim::putLong, number, 77, SEED);
        claim.commit(NumberedMessage.BYTES);
    }

    private static Service window() {
        return WindowResults.service(INTERVAL);
    }

    private static Service forgetful() {
        return new ForgetfulWindow(WindowResults.service(INTERVAL), KEYS, 7);
    }

    private WindowResults due() {
        TopicAudit.Expectation inputs =
                new TopicAudit.Expectation(0, Integer.MAX_VALUE, SEED, new BitSet(), new BitSet(), 0);
        return WindowResults.of(1, TopicAudit.numbers(transport, INPUT, inputs));
    }

    private Account.Topic audit(String topic) {
        return TopicAudit.of(transport, topic, TopicAudit.Expectation.of(due()));
    }

    @Test
    void restartedWindowSendsSameResults() {
        live(WindowResultsTest::window, 25);
        live(WindowResultsTest::window, 830);
        live(WindowResultsTest::window, 1_241);

        long due = 31L * KEYS;
        assertThat(WindowResults.due(1_241)).isEqualTo(due);
        assertThat(due().due()).isEqualTo(due);
        assertThat(audit(OUTPUT)).isEqualTo(new Account.Topic(OUTPUT, due, due, 0, 0, 0, 0, 0, 0, null));
    }

    @Test
    void droppedKeyAtRestoreIsFound() {
        live(WindowResultsTest::forgetful, 830);
        assertThat(audit(OUTPUT).isClean()).as("nothing was restored yet").isTrue();
        live(WindowResultsTest::forgetful, 1_241);

        Account.Topic account = audit(OUTPUT);
        assertThat(account.altered()).as("the key in each window from there on").isEqualTo(11);
        assertThat(account.missing() + account.duplicated() + account.reordered())
                .isZero();
        assertThat(account.finding())
                .matches("key 7 of window 21 at sequence 648 counts -?\\d+ messages instead of \\d+");
        Account whole = new Account(
                List.of(new Account.Topic(INPUT, 1_241, 1_241, 0, 0, 0, 0, 0, 0, null)),
                1_241,
                0,
                1_241L,
                0,
                0,
                0,
                0,
                true,
                0L,
                List.of(new Account.Edge(INPUT, account, 0)));
        assertThat(whole.altered()).isEqualTo(11);
        assertThat(whole.findings()).containsExactly("chaos-0 -> chaos-1: " + account.finding());
    }

    @Test
    void aResultThatIsNotThereIsMissing() {
        live(WindowResultsTest::window, 201);
        List<Result> results = results();
        results.remove(2 * KEYS + 5);
        write(results);

        assertThat(audit(DAMAGED).missing()).isEqualTo(1);
        assertThat(audit(DAMAGED).finding()).isEqualTo("key 5 of window 3 is missing");
    }

    @Test
    void aWindowThatComesAgainIsADuplicate() {
        live(WindowResultsTest::window, 201);
        List<Result> results = results();
        results.addAll(3 * KEYS, results.subList(2 * KEYS, 3 * KEYS).stream().toList());
        write(results);

        assertThat(audit(DAMAGED).duplicated()).isEqualTo(KEYS);
        assertThat(audit(DAMAGED).altered()).isZero();
        assertThat(audit(DAMAGED).finding()).isEqualTo("key 0 of window 3 is there again at sequence 97");
    }

    @Test
    void resultsThatChangedPlacesAreReordered() {
        live(WindowResultsTest::window, 201);
        List<Result> results = results();
        Collections.swap(results, 0, 1);
        write(results);

        assertThat(audit(DAMAGED).reordered()).isEqualTo(1);
        assertThat(audit(DAMAGED).finding()).isEqualTo("key 0 of window 1 follows key 1 of window 1 at sequence 2");
    }

    @Test
    void resultOfOpenWindowIsNotDue() {
        live(WindowResultsTest::window, 201);
        List<Result> results = results();
        results.add(new Result(6, 0));
        write(results);

        assertThat(audit(DAMAGED).altered()).isEqualTo(1);
        assertThat(audit(DAMAGED).finding()).isEqualTo("sequence 161 is not a result that is due");
    }

    @Test
    void laterWindowMakesResultsDue() {
        assertThat(WindowResults.due(0)).isZero();
        assertThat(WindowResults.due(WindowResults.EVENTS)).isZero();
        assertThat(WindowResults.due(WindowResults.EVENTS + 1)).isEqualTo(KEYS);
        assertThat(WindowResults.newestCounted(KEYS)).isEqualTo(WindowResults.EVENTS);
        assertThat(WindowResults.newestCounted(KEYS - 1)).isZero();
    }

    /** A frame of the window's topic. */
    private record Result(int window, long payload) {}

    private List<Result> results() {
        List<Result> results = new ArrayList<>();
        try (TopicInspector inspector = transport.inspect(OUTPUT)) {
            FrameHandler take = (frame, position) -> {
                results.add(new Result(frame.type(), frame.getLong(0)));
                return FrameHandler.Verdict.DONE;
            };
            while (inspector.read(take, 100) > 0) {
                assertThat(results).isNotEmpty();
            }
        }
        return results;
    }

    private void write(List<Result> results) {
        transport.createTopics(List.of(DAMAGED));
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(DAMAGED)) {
            for (Result each : results) {
                Frame frame = writer.claim(Long.BYTES);
                frame.putLong(0, each.payload);
                frame.stamp(1, each.window, 1, 0, 0);
                writer.commit(Long.BYTES);
                writer.flush();
            }
        }
    }
}
