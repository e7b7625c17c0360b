package dev.baton.operations.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.ServiceFailure;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.disruptor.DisruptorProvider;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.OptionSpec;
import dev.baton.state.SnapshotPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a service process takes what its transport does to it. */
@Timeout(30)
class ServiceProcessTest {
    private static final Duration STOP = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @Test
    void failedTransportIsReopenedAfterGrowingPauses() {
        ServiceProcess[] process = new ServiceProcess[1];
        Failing provider = new Failing(3, () -> process[0].stop());
        process[0] = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);

        assertThat(process[0].run()).isNull();

        assertThat(log)
                .containsExactly(
                        "five s1 starting: over failing",
                        "five s1 waiting: again in 100 ms: no broker 1",
                        "five s1 waiting: again in 200 ms: no broker 2",
                        "five s1 waiting: again in 400 ms: no broker 3",
                        "five s1 stopped");
        assertThat(process[0].health().restarts()).isEqualTo(2);
        assertThat(process[0].health().lastError()).isEqualTo("no broker 3");
        assertThat(process[0].health().isHealthy()).isFalse();
    }

    @Test
    void otherFailuresEndTheProcess() {
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                throw new IllegalArgumentException("size=9 is not allowed; 1 to 3");
            }
        };

        Throwable gaveUp = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add).run();

        assertThat(gaveUp).isInstanceOf(IllegalArgumentException.class);
        assertThat(log).last().isEqualTo("five s1 failed: size=9 is not allowed; 1 to 3");
    }

    @Test
    void failureOfAServiceIsLoggedWithItsTrace() {
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                throw new ServiceFailure("s1", "five-0", 7, new IllegalStateException("no such account"));
            }
        };

        new ServiceProcess(plan("five"), provider, STOP, DAY, log::add).run();

        assertThat(log).hasSize(3);
        assertThat(log.get(1)).startsWith("five s1 failed: service s1 failed at message 7 of topic five-0");
        assertThat(log.get(2))
                .startsWith("thrown by s1: java.lang.IllegalStateException: no such account\n\tat ")
                .contains("ServiceProcessTest");
    }

    @ParameterizedTest
    @MethodSource("failingStarts")
    void failureAtItsStartNamesTheService(Supplier<Service> start, String thrown, @TempDir Path directory) {
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        Chain chain = Chain.named("five").then("s1", start).build();
        ServiceProcess process = new ServiceProcess(plan(chain, "s1"), provider, STOP, null, log::add);

        Throwable failure = process.run();

        assertThat(failure).isInstanceOf(ServiceFailure.class).hasMessageContaining(thrown);
        assertThat(ServiceCommand.exitCode(failure)).isEqualTo(ExitCode.FAILED);
        assertThat(log).hasSize(3);
        assertThat(log.get(1)).isEqualTo("five s1 failed: service s1 failed: " + thrown);
        assertThat(log.get(2)).startsWith("thrown by s1: " + thrown + "\n\tat ").contains("ServiceProcessTest");
        assertThat(process.health().lastError()).isEqualTo("service s1 failed: " + thrown);
    }

    @Test
    void errorAtStartIsLoggedWithItsTrace(@TempDir Path directory) {
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        Chain chain = Chain.named("five")
                .then("s1", starting(() -> {
                    throw new AssertionError("no key");
                }))
                .build();
        ServiceProcess process = new ServiceProcess(plan(chain, "s1"), provider, STOP, null, log::add);

        assertThat(ServiceCommand.exitCode(process.run())).isEqualTo(ExitCode.FAILED);

        assertThat(log).hasSize(3);
        assertThat(log.get(1)).startsWith("five s1 failed: ").endsWith("java.lang.AssertionError: no key");
        assertThat(log.get(2))
                .startsWith("thrown")
                .contains("java.lang.AssertionError: no key\n\tat ", "ServiceProcessTest");
    }

    @Test
    void missingClassOfServiceIsNamedWithRemedy(@TempDir Path directory) {
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        Chain chain = Chain.named("five")
                .then("s1", () -> {
                    throw new NoClassDefFoundError("com/acme/Missing");
                })
                .build();

        new ServiceProcess(plan(chain, "s1"), provider, STOP, null, log::add).run();

        assertThat(log).last().asString().contains("class com.acme.Missing is missing", "BATON_CLASSPATH");
    }

    private static List<Arguments> failingStarts() {
        String noNumber = "java.lang.NumberFormatException: For input string: \"x\"";
        return List.of(
                arguments(starting(() -> Integer.parseInt("x")), noNumber),
                arguments(
                        starting(() -> {
                            throw new IOException("no file");
                        }),
                        "java.io.IOException: no file"),
                arguments(
                        (Supplier<Service>) () -> {
                            Integer.parseInt("x");
                            return (in, out) -> {};
                        },
                        noNumber),
                arguments(
                        (Supplier<Service>) () -> {
                            throw new AssertionError("no key");
                        },
                        "java.lang.AssertionError: no key"));
    }

    private static Supplier<Service> starting(Callable<?> start) {
        return () -> new Service() {
            @Override
            public void onStart(ServiceContext context) throws Exception {
                start.call();
            }

            @Override
            public void onMessage(Message in, Outlet out) {}
        };
    }

    /** SIGTERM comes while a service starts, which has to end the process within the time of a stop. */
    @Test
    void processKnowsThatItsServicesOpen(@TempDir Path directory) throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        Chain chain = Chain.named("five")
                .then("s1", starting(() -> {
                    starting.countDown();
                    return goOn.await(20, TimeUnit.SECONDS);
                }))
                .build();
        ServiceProcess process = new ServiceProcess(plan(chain, "s1"), provider, STOP, null, log::add);
        assertThat(process.isOpening()).isFalse();
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        try {
            assertThat(starting.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.isOpening()).isTrue();
        } finally {
            goOn.countDown();
        }
        await().until(() -> !process.isOpening());
        process.stop();
        assertThat(end.get(20, TimeUnit.SECONDS)).isNull();
    }

    /** Case of Chronicle's classes, which register a shutdown hook, after SIGTERM. */
    @Test
    void loadFailureDuringShutdownIsNoFailure() {
        Error unloadable = new ExceptionInInitializerError(new IllegalStateException("Shutdown in progress"));
        ServiceProcess[] process = new ServiceProcess[1];
        TransportProvider provider = new Failing(1, () -> {
            process[0].stop();
            throw unloadable;
        });
        process[0] = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);

        assertThat(process[0].run()).isNull();

        assertThat(log).containsExactly("five s1 starting: over failing", "five s1 stopped: while it was starting");
    }

    @Test
    void aLibraryThatCannotLoadOtherwiseIsThrown() {
        TransportProvider provider = new Failing(1, () -> {
            throw new NoClassDefFoundError("com/acme/Missing");
        });
        ServiceProcess process = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);

        assertThatThrownBy(process::run).isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void refusedLoginIsNotRetried() {
        Failing provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                throw new AccessRefusedException("the broker refused the login");
            }
        };

        Throwable gaveUp = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add).run();

        assertThat(gaveUp).isInstanceOf(AccessRefusedException.class);
        assertThat(log)
                .containsExactly("five s1 starting: over failing", "five s1 failed: the broker refused the login");
    }

    @Test
    void replacedProcessStandsByAndOpensNothing() {
        AtomicInteger opened = new AtomicInteger();
        Failing provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                opened.incrementAndGet();
                throw new IllegalStateException(
                        "in a loop", new ReplacedException("five-1", "topic five-1 has a newer writer"));
            }
        };
        ServiceProcess process = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        await().until(() -> process.health().state() == ServiceProcess.State.STANDBY);

        assertThat(process.health().isHealthy()).isTrue();
        process.stop();

        assertThat(end.join()).isNull();
        assertThat(opened).hasValue(1);
        assertThat(log)
                .containsExactly(
                        "five s1 starting: over failing",
                        "five s1 standby: a newer process has taken over, this one opens nothing again: topic five-1 has a newer writer",
                        "five s1 stopped");
    }

    @Test
    void processReplacedAtAnotherTopicReopensEverything() {
        AtomicInteger opened = new AtomicInteger();
        Failing provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                String topic = opened.incrementAndGet() < 3 ? "five-0" : "five-1";
                throw new ReplacedException(topic, "topic " + topic + " has a newer owner");
            }
        };
        ServiceProcess process = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        await().until(() -> process.health().state() == ServiceProcess.State.STANDBY);
        process.stop();

        assertThat(end.join()).isNull();
        assertThat(opened).hasValue(3);
    }

    @Test
    void standbyReportsOnceAndRetries() {
        AtomicInteger opened = new AtomicInteger();
        ServiceProcess[] process = new ServiceProcess[1];
        Failing provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                if (opened.incrementAndGet() == 3) {
                    process[0].stop();
                }
                throw new OccupiedException("topic five-1 has a live writer");
            }
        };
        process[0] = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);

        assertThat(process[0].run()).isNull();

        assertThat(log)
                .containsExactly(
                        "five s1 starting: over failing",
                        "five s1 standby: takes over when the other process has ended: topic five-1 has a live writer",
                        "five s1 stopped");
        assertThat(process[0].health().restarts()).isZero();
    }

    @Test
    void replacedTopicEndsTheProcess() {
        Failing provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                throw new TopicMismatchException(
                        "topic five-0 is another; or handle all that it holds",
                        TopicMismatchException.Remedy.HANDLE_ALL);
            }
        };

        ServiceProcess failing = new ServiceProcess(plan("five"), provider, STOP, DAY, log::add);

        assertThat(failing.run())
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageEndingWith("holds: Deployment.replacedInput(ReplacedInput.HANDLE_ALL)");
        String shown = "topic five-0 is another; or handle all that it holds: --replaced-input handle-all";
        assertThat(log).last().isEqualTo("five s1 failed: " + shown);
        assertThat(failing.health().lastError()).isEqualTo(shown);
    }

    @Test
    void countersOfTheTransportBelongToItsHealth(@TempDir Path directory) {
        Map<String, Long> counters = Map.of("NAKs sent", 7L);
        AtomicReference<Health> health = new AtomicReference<>();
        ServiceProcess[] process = new ServiceProcess[1];
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                Transport real = ChronicleTransport.in(directory);
                return (Transport) Proxy.newProxyInstance(
                        Transport.class.getClassLoader(),
                        new Class<?>[] {Transport.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("counters") ? counters : method.invoke(real, arguments));
            }
        };
        process[0] = new ServiceProcess(plan("five"), provider, STOP, null, line -> {
            if (line.contains(" running")) {
                health.set(process[0].health());
                process[0].stop();
            }
        });

        assertThat(process[0].health().counters()).isEmpty();
        assertThat(process[0].run()).isNull();
        assertThat(health.get().counters()).isEqualTo(counters);
    }

    @Test
    void aTransportThatCannotCrossProcessesIsRefused() {
        Throwable gaveUp = new ServiceProcess(plan("five"), new DisruptorProvider(), STOP, DAY, log::add).run();

        assertThat(gaveUp).hasMessageContaining("cannot run a chain in several processes");
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-loop"));
    }

    @Test
    void aPlanNamesServicesThatTheChainHas() {
        assertThatThrownBy(() -> plan("five", 3)).hasMessage("service s3; the chain has s1, s2");
    }

    /** A chain is closed after its failure, for as long as its transport takes; it processes nothing meanwhile. */
    @Test
    void processClosingAfterFailureIsNotHealthy(@TempDir Path directory) throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Chain failing = Chain.named("five")
                .then("s1", () -> (in, out) -> {
                    throw new IllegalStateException("no");
                })
                .build();
        feed(failing, directory);
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                Transport real = ChronicleTransport.in(directory);
                return (Transport) Proxy.newProxyInstance(
                        Transport.class.getClassLoader(),
                        new Class<?>[] {Transport.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("close")) {
                                closing.countDown();
                                goOn.await();
                            }
                            return method.invoke(real, arguments);
                        });
            }
        };
        ServicePlan plan = plan(failing, "s1");
        ServiceProcess process = new ServiceProcess(plan, provider, STOP, null, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        assertThat(closing.await(20, TimeUnit.SECONDS)).isTrue();
        try {
            assertThat(process.health().isHealthy())
                    .as(process.health().toString())
                    .isFalse();
        } finally {
            goOn.countDown();
        }
        assertThat(end.join()).hasRootCauseMessage("no");
    }

    /** {@code --only s2,s1} is the same as {@code --only s1,s2}: the output of s2 decides. */
    @Test
    void orderOfNamedServicesDoesNotDecide() {
        AtomicInteger opened = new AtomicInteger();
        Failing provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                opened.incrementAndGet();
                throw new ReplacedException("five-2", "topic five-2 has a newer writer");
            }
        };
        ServicePlan plan = plan(ForwardingChain.of("five", 2), "s2", "s1");
        ServiceProcess process = new ServiceProcess(plan, provider, STOP, DAY, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        await().until(() -> opened.get() > 1 || process.health().state() == ServiceProcess.State.STANDBY);
        process.stop();

        assertThat(end.join()).isNull();
        assertThat(opened).hasValue(1);
    }

    /** SIGTERM comes while a service handles the message at which it throws. */
    @Test
    void failureDuringTheDrainEndsTheProcess(@TempDir Path directory) throws Exception {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Chain failing = Chain.named("five")
                .then("s1", () -> (in, out) -> {
                    handling.countDown();
                    goOn.await();
                    throw new IllegalStateException("no");
                })
                .build();
        feed(failing, directory);
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        ServicePlan plan = plan(failing, "s1");
        ServiceProcess process = new ServiceProcess(plan, provider, Duration.ofSeconds(5), null, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        assertThat(handling.await(20, TimeUnit.SECONDS)).isTrue();
        process.stop();
        await().until(() -> process.health().state() == ServiceProcess.State.STOPPING);
        goOn.countDown();

        assertThat(end.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ServiceFailure.class)
                .hasRootCauseMessage("no");
        assertThat(log.get(log.size() - 2)).contains("failed", "no");
    }

    /** All instances share the loop, and each waits for it for a second. */
    @Test
    void blockedInstancesDoNotDelayHealth(@TempDir Path directory) throws Exception {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Chain blocking = Chain.named("five")
                .then("s1", () -> (in, out) -> {
                    handling.countDown();
                    goOn.await();
                })
                .build();
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        ServiceProcess process =
                new ServiceProcess(plan(blocking, 8, "s1"), provider, Duration.ofSeconds(5), null, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        try {
            await().until(() -> process.health().state() == ServiceProcess.State.RUNNING);
            feed(blocking, directory);
            assertThat(handling.await(20, TimeUnit.SECONDS)).isTrue();
            long begun = System.nanoTime();
            Health health = process.health();

            assertThat(health.isHealthy()).isFalse();
            assertThat(health.blocked()).isEqualTo("s1");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
        } finally {
            goOn.countDown();
            process.stop();
        }
        assertThat(end.get(20, TimeUnit.SECONDS)).isNull();
    }

    /** All instances share the loop, and the close of each waits for its callback. */
    @Test
    void blockedInstancesDoNotDelayTheStop(@TempDir Path directory) throws Exception {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Chain blocking = Chain.named("five")
                .then("s1", () -> (in, out) -> {
                    handling.countDown();
                    goOn.await();
                })
                .build();
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        ServiceProcess process = new ServiceProcess(plan(blocking, 8, "s1"), provider, STOP, null, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        try {
            await().until(() -> process.health().state() == ServiceProcess.State.RUNNING);
            feed(blocking, directory);
            assertThat(handling.await(20, TimeUnit.SECONDS)).isTrue();
            long begun = System.nanoTime();
            process.stop();
            assertThat(end.get(20, TimeUnit.SECONDS)).isNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
        } finally {
            goOn.countDown();
        }
        assertThat(process.wasCutOff()).isTrue();
    }

    @Test
    void healthRequestsShareThreads(@TempDir Path directory) throws Exception {
        TransportProvider provider = new Failing(1, () -> {}) {
            @Override
            public Transport open(Map<String, String> options) {
                return ChronicleTransport.in(directory);
            }
        };
        ServicePlan plan = plan(ForwardingChain.of("five", 1), 8, "s1");
        ServiceProcess process = new ServiceProcess(plan, provider, Duration.ofSeconds(5), null, log::add);
        CompletableFuture<Throwable> end = CompletableFuture.supplyAsync(process::run);
        try {
            await().until(() -> process.health().state() == ServiceProcess.State.RUNNING);
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long before = threads.getTotalStartedThreadCount();
            for (int request = 0; request < 100; request++) {
                assertThat(process.health().isHealthy()).isTrue();
            }
            assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(50);
        } finally {
            process.stop();
        }
        assertThat(end.get(20, TimeUnit.SECONDS)).isNull();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("baton-status")));
    }

    private static final LoopPlan LOOPS = new LoopPlan("cooperative:1", LoopPlan.DEFAULT_IDLE, 0);

    private static ServicePlan plan(String chain) {
        return plan(chain, 1);
    }

    private static ServicePlan plan(String chain, int service) {
        return plan(ForwardingChain.of(chain, 2), "s" + service);
    }

    private static ServicePlan plan(Chain chain, String... services) {
        return plan(chain, 1, services);
    }

    private static ServicePlan plan(Chain chain, int instances, String... services) {
        return new ServicePlan(
                chain,
                List.of(services),
                instances,
                subject(),
                LOOPS,
                null,
                new ServicePlan.Edges(ReplacedInput.REFUSE, UnreadableFrames.STOP),
                SnapshotPolicy.standard(),
                null);
    }

    /** Stores one message in the first topic of a chain. */
    private static void feed(Chain chain, Path directory) {
        try (Transport sending = ChronicleTransport.in(directory);
                Loops loops = Loops.cooperative(1);
                RunningChain feeding = chain.on(sending).with(loops).only().start()) {
            feeding.inlet().send(new byte[8]);
        }
    }

    private static Subject subject() {
        return new Subject(Subject.BATON, "failing", Map.of());
    }

    /** A provider that fails to open a number of times, and calls a function at the last one. */
    private static class Failing implements TransportProvider {
        private final int times;
        private final Runnable atLast;
        private int opened;

        Failing(int times, Runnable atLast) {
            this.times = times;
            this.atLast = atLast;
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public String summary() {
            return "cannot be opened";
        }

        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.CROSS_PROCESS);
        }

        @Override
        public List<OptionSpec> options() {
            return List.of();
        }

        @Override
        public Transport open(Map<String, String> options) {
            opened++;
            if (opened == times) {
                atLast.run();
            }
            throw new TransportException("no broker " + opened);
        }
    }
}
