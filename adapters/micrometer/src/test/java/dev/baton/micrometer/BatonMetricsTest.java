package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.OutputHandler;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.manage.StorageWatch;
import dev.baton.run.Loops;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import dev.baton.status.PartStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters of running chains in registries. */
class BatonMetricsTest {
    private static final String ONE = "chain=\"orders\",service=\"one\",topic=\"orders-0\"";

    private static final String CHAIN = "chain=\"orders\",instance=\"0\",partition=\"none\"";

    private static final String PARTITIONS = "baton_partitions{chain=\"orders\",instance=\"0\"}";

    private final DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
    private final BatonMetrics metrics = new BatonMetrics();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Loops loops = Loops.manual();

    @AfterEach
    void close() {
        loops.close();
        transport.close();
        registry.close();
    }

    private Deployment deployment() {
        return Chain.named("orders")
                .then("one", () -> (in, out) -> out.forward(in))
                .then("two", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {});
    }

    private static double value(String text, String meter) {
        return text.lines()
                .filter(line -> line.startsWith(meter + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(meter.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + meter + " in\n" + text));
    }

    @Test
    void scrapeContainsAllFiguresOfChain() throws Exception {
        metrics.bindTo(registry);
        try (Loops threads = metrics.add(Loops.cooperative(1));
                RunningChain running = metrics.start(deployment().with(threads));
                ScrapeServer server = new ScrapeServer(registry)) {
            for (int i = 0; i < 5; i++) {
                running.inlet().send(new byte[8]);
            }
            String sink = "{chain=\"orders\",service=\"sink\",topic=\"orders-2\"}";
            await().until(() -> value(server.text(), "baton_messages_consumed_messages_total" + sink) == 5);
            String text = server.text();

            assertThat(value(text, "baton_messages_consumed_messages_total{" + ONE + "}"))
                    .isEqualTo(5);
            assertThat(value(
                            text,
                            "baton_messages_sent_messages_total{chain=\"orders\",service=\"two\",topic=\"orders-2\"}"))
                    .isEqualTo(5);
            assertThat(value(text, "baton_backlog_messages{" + ONE + "}")).isZero();
            assertThat(value(text, "baton_unread_age_seconds{" + ONE + "}")).isZero();
            assertThat(value(text, "baton_service_time_seconds_count{" + ONE + "}"))
                    .isBetween(1.0, 5.0);
            assertThat(value(text, "baton_message_latency_seconds_sum" + sink)).isBetween(1e-9, 60.0);
            assertThat(value(text, "baton_message_retries_total{" + ONE + "}")).isZero();
            assertThat(value(text, "baton_dead_letters_total{" + ONE + "}")).isZero();
            assertThat(value(text, "baton_records_skipped_records_total{" + ONE + "}"))
                    .isZero();
            assertThat(value(
                            text,
                            "baton_back_pressure_seconds_sum{chain=\"orders\",service=\"one\",topic=\"orders-1\"}"))
                    .isZero();
            assertThat(value(text, "baton_chain_running{" + CHAIN + "}")).isEqualTo(1);
            assertThat(value(text, "baton_chain_restarts_total{" + CHAIN + "}")).isZero();
            assertThat(value(text, "baton_loop_busy_seconds_total{loop=\"baton-loop-1\"}"))
                    .isPositive();
            assertThat(value(text, "baton_loop_longest_sweep_seconds{loop=\"baton-loop-1\"}"))
                    .isPositive();
            assertThat(text).contains("baton_service_time_seconds_bucket{" + ONE + ",le=");
        }
    }

    @Test
    void unknownDiskMetersHaveNoValue() {
        metrics.bindTo(registry);
        metrics.add(StorageWatch.of("disk", () -> Optional.of(new StorageUse(3_000, 7_000))));
        metrics.add(StorageWatch.of(transport)); // which has none

        String text = registry.scrape();
        String disk = "{storage=\"disk\"}";
        assertThat(value(text, "baton_storage_used_bytes" + disk)).isEqualTo(3_000);
        assertThat(value(text, "baton_storage_free_bytes" + disk)).isEqualTo(7_000);
        assertThat(value(text, "baton_storage_growth_per_hour_bytes" + disk)).isNaN();
        assertThat(value(text, "baton_storage_full_in_seconds" + disk)).isNaN();
        assertThat(value(text, "baton_storage_used_bytes{storage=\"" + transport.name() + "\"}"))
                .isNaN();
    }

    @Test
    void backlogIsVisibleWithoutReader() {
        metrics.bindTo(registry);
        try (RunningChain running = metrics.start(deployment().batch(1))) {
            running.inlet().send(new byte[8]);
            loops.turn();
            running.inlet().send(new byte[8]);
            running.inlet().send(new byte[8]);
            loops.turn();
            await().pollInSameThread()
                    .until(() -> value(registry.scrape(), "baton_backlog_messages{" + ONE + "}") == 1);

            assertThat(value(registry.scrape(), "baton_unread_age_seconds{" + ONE + "}"))
                    .isPositive();
        }
    }

    @Test
    void failuresAreCounted() {
        int[] calls = {0};
        metrics.bindTo(registry);
        Deployment failing = Chain.named("orders")
                .then("one", () -> (in, out) -> {
                    if (calls[0]++ < 3) {
                        throw new IllegalStateException("no");
                    }
                })
                .build()
                .on(transport)
                .with(loops)
                .onError(ErrorPolicy.retry(5));
        try (RunningChain running = metrics.start(failing)) {
            running.inlet().send(new byte[8]);
            for (int turn = 0; turn < 5; turn++) {
                loops.turn();
            }

            assertThat(value(registry.scrape(), "baton_message_retries_total{" + ONE + "}"))
                    .isEqualTo(3);
        }
    }

    @Test
    void backPressureCountsWhileItLasts() {
        Events events = new Events();
        Events.Watch watch = events.watch();
        watch.of("orders", 0);
        watch.onBackPressure("one", "orders-1");
        Events.Pressure pressure = events.pressure("orders", 0, "one", "orders-1");
        long first = pressure.nanos();
        await().until(() -> pressure.nanos() > first);
        watch.onBackPressureEnded("one", "orders-1", 42);

        assertThat(pressure.times()).isEqualTo(1);
        assertThat(pressure.nanos()).isEqualTo(42);
    }

    @Test
    void metersFollowTheRunningChain() {
        metrics.bindTo(registry);
        metrics.start(deployment()).close();
        await().pollInSameThread().until(() -> !registry.scrape().contains("baton_backlog"));

        try (RunningChain again = metrics.start(deployment())) {
            again.inlet().send(new byte[8]);
            loops.turn();
            assertThat(registry.scrape()).contains("baton_backlog_messages{" + ONE + "}");
        }
    }

    @Test
    void registriesMayComeLaterAndBeSeveral() {
        MeterRegistry early = new SimpleMeterRegistry();
        MeterRegistry late = new SimpleMeterRegistry();
        metrics.bindTo(early);
        metrics.bindTo(early);
        try (RunningChain running = metrics.start(deployment())) {
            metrics.bindTo(late);
            running.inlet().send(new byte[8]);
            loops.turn();

            for (MeterRegistry each : new MeterRegistry[] {early, late}) {
                assertThat(each.get("baton.service.time")
                                .tag("service", "one")
                                .timer()
                                .count())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void partitionsGetTheirOwnMeters() {
        metrics.bindTo(registry);
        try (RunningChain running =
                metrics.add(metrics.watch(deployment()).partitions(2).start())) {
            assertThat(running.held()).hasSize(2);

            assertThat(registry.scrape()).contains("topic=\"orders-0@0\"", "topic=\"orders-0@1\"");
        }
    }

    @Test
    void memberGetsMetersWhenPartitionsCome() {
        metrics.bindTo(registry);
        try (RunningChain running = deployment().partitions(2).start()) {
            ChainStatus none = new ChainStatus(
                    running.status().chain(),
                    ChainStatus.Phase.RUNNING,
                    Optional.empty(),
                    0,
                    List.of(),
                    List.of(),
                    true,
                    Optional.empty());
            AtomicBoolean hasCome = new AtomicBoolean();
            metrics.add(
                    () -> hasCome.get() ? running.status() : none, () -> hasCome.get() ? running.statuses() : Map.of());
            assertThat(value(registry.scrape(), PARTITIONS)).isZero();
            hasCome.set(true);
            assertThat(value(registry.scrape(), PARTITIONS)).isEqualTo(2);
            assertThat(value(registry.scrape(), running("0", "1"))).isEqualTo(1);
        }
    }

    @Test
    void restartsOfReturningPartitionsAreCountedOn() {
        metrics.bindTo(registry);
        AtomicReference<Map<Integer, ChainStatus>> here = new AtomicReference<>(Map.of(0, restarted(2)));
        metrics.add(() -> restarted(0), here::get);
        String restarts = "baton_chain_restarts_total{chain=\"orders\",instance=\"0\",partition=\"0\"}";
        assertThat(value(registry.scrape(), restarts)).isEqualTo(2);
        here.set(Map.of()); // another process has it
        assertThat(value(registry.scrape(), restarts)).isEqualTo(2);
        here.set(Map.of(0, restarted(0)));
        assertThat(value(registry.scrape(), restarts)).isEqualTo(2);
        here.set(Map.of(0, restarted(1)));
        assertThat(value(registry.scrape(), restarts)).isEqualTo(3);
    }

    @Test
    void messagesHandledElsewhereAreNotCounted() {
        metrics.bindTo(registry);
        AtomicReference<ChainStatus> here = new AtomicReference<>(consumed(ChainStatus.Phase.RUNNING, 100));
        metrics.add(here::get, () -> here.get().parts().isEmpty() ? Map.of() : Map.of(0, here.get()));
        String consumed =
                "baton_messages_consumed_messages_total{chain=\"orders\",service=\"one\",topic=\"orders-0@0\"}";
        here.set(consumed(ChainStatus.Phase.RUNNING, 150));
        assertThat(value(registry.scrape(), consumed)).isEqualTo(50);
        here.set(restarted(0)); // another process has the partition
        assertThat(value(registry.scrape(), consumed)).isEqualTo(50);
        here.set(consumed(ChainStatus.Phase.RUNNING, 1_000));
        assertThat(value(registry.scrape(), consumed)).isEqualTo(50);
        here.set(consumed(ChainStatus.Phase.RUNNING, 1_005));
        assertThat(value(registry.scrape(), consumed)).isEqualTo(55);
    }

    @Test
    void standbyCountsOnlyWhatItHandles() {
        metrics.bindTo(registry);
        AtomicReference<ChainStatus> here = new AtomicReference<>(consumed(ChainStatus.Phase.RUNNING, 100));
        metrics.add(here::get);
        String consumed =
                "baton_messages_consumed_messages_total{chain=\"orders\",service=\"one\",topic=\"orders-0@0\"}";
        here.set(consumed(ChainStatus.Phase.STANDING_BY, PartStatus.UNKNOWN));
        assertThat(value(registry.scrape(), consumed)).isZero();
        here.set(consumed(ChainStatus.Phase.RUNNING, 1_000));
        assertThat(value(registry.scrape(), consumed)).isZero();
        here.set(consumed(ChainStatus.Phase.RESTARTING, PartStatus.UNKNOWN));
        assertThat(value(registry.scrape(), consumed)).isZero();
        here.set(consumed(ChainStatus.Phase.RUNNING, 1_005));
        assertThat(value(registry.scrape(), consumed)).isEqualTo(5);
    }

    /** Returns the status of a chain whose service has consumed this many messages; unknown for one without services here. */
    private static ChainStatus consumed(ChainStatus.Phase phase, long messages) {
        PartStatus part =
                new PartStatus("one", new PartStatus.InputStatus("orders-0@0", messages, 0, 0, 0, 0), null, 0, null);
        return new ChainStatus(
                new ChainStatus.ChainId("orders", 0, -1),
                phase,
                Optional.empty(),
                0,
                messages == PartStatus.UNKNOWN ? List.of() : List.of(part),
                List.of(),
                true,
                Optional.empty());
    }

    private static ChainStatus restarted(int times) {
        return new ChainStatus(
                new ChainStatus.ChainId("orders", 0, 0),
                ChainStatus.Phase.RUNNING,
                Optional.empty(),
                times,
                List.of(),
                List.of(),
                true,
                Optional.empty());
    }

    @Test
    void eachInstanceHasItsOwnChainMeters() {
        metrics.bindTo(registry);
        Deployment failing = Chain.named("orders")
                .then("one", () -> (in, out) -> {
                    throw new IllegalStateException("no");
                })
                .build()
                .on(transport)
                .with(loops)
                .instance(1)
                .onFailure(failure -> {});
        try (RunningChain first = metrics.start(deployment());
                RunningChain second = metrics.start(failing)) {
            assertThat(first.failure()).isEmpty();
            second.inlet().send(new byte[8]);
            loops.turn();

            await().pollInSameThread().until(() -> value(registry.scrape(), running("1", "none")) == 0);
            assertThat(value(registry.scrape(), running("0", "none"))).isEqualTo(1);
        }
    }

    @Test
    void eachPartitionHasItsOwnChainMeters() {
        metrics.bindTo(registry);
        Deployment failing = Chain.named("orders")
                .then("one", () -> (in, out) -> {
                    throw new IllegalStateException("no");
                })
                .build()
                .on(transport)
                .with(loops)
                .onFailure(failure -> {});
        try (RunningChain running =
                metrics.add(metrics.watch(failing).partitions(2).start())) {
            running.inlet(1).send(new byte[8]);
            loops.turn();

            await().pollInSameThread().until(() -> value(registry.scrape(), running("0", "1")) == 0);
            assertThat(value(registry.scrape(), running("0", "0"))).isEqualTo(1);
        }
    }

    @Test
    void supervisedChainKeepsItsMetersAndCountsRestarts() {
        int[] opened = {0};
        metrics.bindTo(registry);
        try (Loops threads = Loops.cooperative(1);
                RunningChain supervised = metrics.add(metrics.watch(Chain.named("orders")
                                .then("one", () -> {
                                    boolean fails = opened[0]++ == 0;
                                    return (in, out) -> {
                                        if (fails) {
                                            throw new TransportException("gone");
                                        }
                                    };
                                })
                                .build()
                                .on(transport)
                                .with(threads))
                        .restart(RestartPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(10)))
                        .start())) {
            supervised.inlet().send(new byte[8]);

            await().until(() -> value(registry.scrape(), "baton_chain_restarts_total{" + CHAIN + "}") == 1);
            await().until(() -> value(registry.scrape(), "baton_chain_running{" + CHAIN + "}") == 1);
        }
    }

    @Test
    void consumerThatHoldsTopicBackHasMeter() {
        metrics.bindTo(registry);
        String consumer = "{chain=\"orders\",consumer=\"audit\",topic=\"orders-0\"}";
        try (RunningChain running = metrics.start(deployment())) {
            Chain.tap("audit", "orders-0")
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> {})
                    .start()
                    .close();
            int sent = 0;
            for (int refused = 0; refused < 1000; loops.turn()) {
                Claim claim = running.inlet().tryClaim(8);
                if (claim == null) {
                    refused++;
                } else {
                    claim.commit(8);
                    sent++;
                    refused = 0;
                }
            }
            int frames = sent;

            await().pollInSameThread()
                    .until(
                            () -> { // who holds it back is looked up by an inlet that is refused for a while
                                loops.turn();
                                assertThat(running.inlet().tryClaim(8)).isNull();
                                return registry.scrape().contains("baton_held_back_messages" + consumer);
                            });
            assertThat(value(registry.scrape(), "baton_held_back_messages" + consumer))
                    .isEqualTo(frames);
            running.close(Duration.ofMillis(1));
        }
    }

    @Test
    void loopsOfOneNameHaveTheirOwnMeters() {
        metrics.bindTo(registry);
        try (Loops first = metrics.add(Loops.cooperative(1));
                Loops second = metrics.add(Loops.cooperative(1))) {
            assertThat(first).isNotSameAs(second);
            assertThat(registry.scrape())
                    .contains("baton_loops{loops=\"cooperative:1\"}", "baton_loops{loops=\"cooperative:1 #2\"}");
        }
    }

    private static String running(String instance, String partition) {
        return "baton_chain_running{chain=\"orders\",instance=\"" + instance + "\",partition=\"" + partition + "\"}";
    }

    @Test
    void blockedLoopIsNamed() throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        metrics.bindTo(registry);
        try (Loops threads = metrics.add(Loops.cooperative(1));
                RunningChain running = metrics.start(Chain.named("orders")
                        .then("one", () -> (in, out) -> {
                            isHeld.countDown();
                            release.await();
                        })
                        .build()
                        .on(transport)
                        .with(threads))) {
            running.inlet().send(new byte[8]);
            assertThat(isHeld.await(10, TimeUnit.SECONDS)).isTrue();

            await().atMost(Duration.ofSeconds(10))
                    .until(() -> value(registry.scrape(), "baton_chain_blocked_seconds{" + CHAIN + "}") > 0);
            assertThat(value(registry.scrape(), "baton_backlog_messages{" + ONE + "}"))
                    .isNaN();
            assertThat(value(registry.scrape(), "baton_loop_longest_sweep_seconds{loop=\"baton-loop-1\"}"))
                    .isPositive();
            release.countDown();
        }
    }

    /** The status of the closed chain is younger than half a second, so that it still seems to run. */
    @Test
    void metersFollowChainStartedAgainAtOnce() throws Exception {
        metrics.bindTo(registry);
        RunningChain first = metrics.start(deployment());
        assertThat(value(registry.scrape(), "baton_chain_running{" + CHAIN + "}"))
                .isEqualTo(1);
        first.close();
        try (RunningChain again = metrics.start(deployment())) {
            again.inlet().send(new byte[8]);
            loops.turn();
            // the former chain's status is read again after half a second
            await().pollInSameThread().pollDelay(Duration.ofMillis(600)).untilAsserted(() -> {
                String text = registry.scrape();
                assertThat(value(text, "baton_chain_running{" + CHAIN + "}")).isEqualTo(1);
                assertThat(value(text, "baton_messages_consumed_messages_total{" + ONE + "}"))
                        .isEqualTo(1);
            });
        }
        await().pollInSameThread().until(() -> !registry.scrape().contains("baton_backlog"));
    }

    /** A chain that reads a recorded topic again has services of the same names and the same input. */
    @Test
    void chainsOfOneInputHaveTheirOwnFailures() {
        int[] calls = {0};
        metrics.bindTo(registry);
        Chain orders = Chain.named("orders")
                .then("one", () -> (in, out) -> out.forward(in))
                .build();
        Chain again = Chain.named("orders")
                .then("one", () -> (in, out) -> {
                    if (calls[0]++ < 3) {
                        throw new IllegalStateException("no");
                    }
                })
                .build()
                .again("again", "orders-0", List.of("one"));
        try (RunningChain running = metrics.start(orders.on(transport).with(loops));
                RunningChain second =
                        metrics.start(again.on(transport).with(loops).onError(ErrorPolicy.retry(5)))) {
            assertThat(second.failure()).isEmpty();
            running.inlet().send(new byte[8]);
            for (int turn = 0; turn < 10; turn++) {
                loops.turn();
            }
            String text = registry.scrape();
            assertThat(value(text, "baton_message_retries_total{chain=\"again\",service=\"one\",topic=\"orders-0\"}"))
                    .isEqualTo(3);
            assertThat(value(text, "baton_message_retries_total{" + ONE + "}")).isZero();
        }
    }

    /** A second chain with a service of the same name is opened during a pause of the first one. */
    @Test
    void startOfAnotherChainCountsNoBackPressure() throws Exception {
        metrics.bindTo(registry);
        Loops others = Loops.manual();
        Chain.Builder two = Chain.named("other").then("one", () -> (in, out) -> out.forward(in));
        long begun = System.nanoTime();
        try (RunningChain running = metrics.start(Chain.named("orders")
                .then("one", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {}))) {
            Chain.tap("slow", "orders-1")
                    .on(transport)
                    .with(others)
                    .onOutput(in -> {})
                    .start()
                    .close();
            String sum = "baton_back_pressure_seconds_sum{chain=\"orders\",service=\"one\",topic=\"orders-1\"}";
            for (int refused = 0; refused < 1000; loops.turn()) {
                Claim claim = running.inlet().tryClaim(8);
                if (claim == null) {
                    refused++;
                } else {
                    claim.commit(8);
                    refused = 0;
                }
            }
            await().pollInSameThread().until(() -> {
                loops.turn();
                return value(registry.scrape(), sum) > 0.5;
            });
            try (RunningChain other = metrics.start(two.build().on(transport).with(others))) {
                assertThat(other.failure()).isEmpty();
            }
            RunningChain slow = Chain.tap("slow", "orders-1")
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> {})
                    .start();
            for (int i = 0; i < 3000; i++) {
                loops.turn();
            }
            double waited = value(registry.scrape(), sum);
            assertThat(waited).isPositive().isLessThanOrEqualTo((System.nanoTime() - begun) / 1e9);
            slow.close();
        }
        others.close();
    }

    private RunningChain tap(String topic, OutputHandler handler) {
        return metrics.start(Chain.tap("audit", topic).on(transport).with(loops).onOutput(handler));
    }

    private static String tapped(String chain, String partition) {
        return "baton_chain_running{chain=\"" + chain + "\",instance=\"0\",partition=\"" + partition + "\"}";
    }

    @Test
    void tapsOfOneNameHaveTheirOwnMeters() throws Exception {
        metrics.bindTo(registry);
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = collecting(warnings);
        Logger logger = Logger.getLogger("dev.baton.micrometer");
        logger.addHandler(handler);
        try (RunningChain running = metrics.start(deployment())) {
            RunningChain failing = tap("orders-0", in -> {
                throw new IllegalStateException("no");
            });
            RunningChain healthy = tap("orders-1", in -> {});
            running.inlet().send(new byte[8]);
            for (int turn = 0; turn < 10; turn++) {
                loops.turn();
            }
            assertThat(failing.failure()).isPresent();
            String backlog = "baton_backlog_messages{chain=\"audit #2\",service=\"sink\",topic=\"orders-1\"}";
            await().pollInSameThread().until(() -> value(registry.scrape(), tapped("audit", "none")) == 0);
            assertThat(value(registry.scrape(), tapped("audit #2", "none"))).isEqualTo(1);
            assertThat(value(registry.scrape(), backlog)).isZero();
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains("chain audit", "which reads orders-1", "audit #2", "each tap a consumer name");

            failing.close();
            await().pollInSameThread().until(() -> !registry.scrape().contains(tapped("audit", "none")));
            assertThat(value(registry.scrape(), tapped("audit #2", "none"))).isEqualTo(1);
            healthy.close();
        } finally {
            logger.removeHandler(handler);
        }
    }

    private static Handler collecting(List<String> messages) {
        return new Handler() {
            @Override
            public void publish(LogRecord logged) {
                messages.add(logged.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @Test
    void tapOfPartitionHasItsTag() throws Exception {
        metrics.bindTo(registry);
        try (RunningChain running = metrics.start(deployment().partitions(2))) {
            RunningChain first = tap("orders-1@0", in -> {});
            RunningChain second = tap("orders-1@1", in -> {});
            assertThat(running.failure()).isEmpty();
            assertThat(value(registry.scrape(), tapped("audit", "0"))).isEqualTo(1);
            assertThat(value(registry.scrape(), tapped("audit", "1"))).isEqualTo(1);
            first.close();
            await().pollInSameThread().until(() -> !registry.scrape().contains(tapped("audit", "0")));
            assertThat(value(registry.scrape(), tapped("audit", "1"))).isEqualTo(1);
            second.close();
        }
    }

    @Test
    void aChainAddedTwiceHasOneSet() throws Exception {
        metrics.bindTo(registry);
        try (RunningChain running = metrics.add(metrics.start(deployment()))) {
            assertThat(running.failure()).isEmpty();
            assertThat(registry.scrape()).contains(CHAIN).doesNotContain("#2");
        }
    }
}
