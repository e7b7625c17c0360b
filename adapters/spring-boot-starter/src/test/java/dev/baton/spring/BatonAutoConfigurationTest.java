package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.MessageFields;
import dev.baton.SharedInlet;
import dev.baton.ValueCodec;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.micrometer.BatonMetrics;
import dev.baton.spi.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The beans of an application with chains. */
class BatonAutoConfigurationTest {
    private static final String DISRUPTOR = "baton.transport=disruptor";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BatonAutoConfiguration.class,
                    BatonMetricsAutoConfiguration.class,
                    BatonTracingAutoConfiguration.class,
                    ApplicationAvailabilityAutoConfiguration.class))
            .withUserConfiguration(Doubling.class);

    @TempDir
    Path directory;

    @AfterEach
    void noLoopIsLeft() {
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("baton-loop")));
    }

    private String refused(String... properties) {
        List<String> said = new ArrayList<>();
        application.withPropertyValues(properties).run(context -> {
            assertThat(context).hasFailed();
            for (Throwable each = context.getStartupFailure(); each != null; each = each.getCause()) {
                said.add(each.getMessage());
            }
        });
        return String.join("\n", said);
    }

    @Test
    void inFlightMessagesAreDrainedAtStop() {
        List<List<Long>> doubled = new ArrayList<>();
        application.withPropertyValues(DISRUPTOR).run(context -> {
            doubled.add(context.getBean(Doubling.class).doubled);
            SharedInlet inlet = context.getBean(BatonChains.class).inlet(Doubling.NAME);
            for (long i = 1; i <= 1_000; i++) {
                inlet.offerStored(Doubling.number(i)).join();
            }
        });
        assertThat(doubled.get(0)).hasSize(1_000).last().isEqualTo(2_000L);
    }

    @Test
    void chainsStopAfterWebServerAndRestart() {
        SmartLifecycle web = new SmartLifecycle() {
            private boolean isRunning;

            @Override
            public int getPhase() {
                return SmartLifecycle.DEFAULT_PHASE - 2048;
            }

            @Override
            public void start() {
                isRunning = true;
            }

            @Override
            public void stop() {
                isRunning = false;
            }

            @Override
            public boolean isRunning() {
                return isRunning;
            }
        };
        application
                .withPropertyValues(DISRUPTOR)
                .withBean("web", SmartLifecycle.class, () -> web)
                .run(context -> {
                    BatonChains chains = context.getBean(BatonChains.class);
                    Doubling doubling = context.getBean(Doubling.class);
                    assertThat(chains.getPhase()).isLessThan(web.getPhase());
                    context.getSourceApplicationContext().stop();
                    assertThat(chains.isRunning()).isFalse();
                    assertThatThrownBy(() -> chains.inlet(Doubling.NAME)).hasMessageContaining("does not run");
                    context.getSourceApplicationContext().start();
                    chains.inlet(Doubling.NAME).offerStored(Doubling.number(4)).join();
                    await().until(() -> doubling.doubled.contains(8L));
                });
    }

    @Test
    void aFailedChainBreaksLivenessAndReadiness() {
        application.withPropertyValues(DISRUPTOR).run(context -> {
            ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
            await().until(() -> availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(availability.getLivenessState()).isEqualTo(LivenessState.CORRECT);

            context.getBean(BatonChains.class).inlet(Doubling.NAME).offer(Doubling.number(-13));
            await().until(() -> availability.getLivenessState() == LivenessState.BROKEN);
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
            assertThat(ChainsHealth.of(context.getBean(BatonChains.class)).status())
                    .isEqualTo("DOWN");
        });
    }

    @Test
    void blockedLoopIsNotReadyThenBroken() {
        CountDownLatch go = new CountDownLatch(1);
        application
                .withPropertyValues(DISRUPTOR, "baton.stuck-after=1ms")
                .withBean(
                        "blocking",
                        Chain.class,
                        () -> Chain.named("blocking")
                                .then(
                                        "block",
                                        () -> (in, out) -> assertThat(go.await(30, TimeUnit.SECONDS))
                                                .isTrue())
                                .build())
                .run(context -> {
                    BatonChains chains = context.getBean(BatonChains.class);
                    AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
                    chains.inlet("blocking").offer(new byte[0]);
                    ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
                    await().until(() -> availability.getLivenessState() == LivenessState.BROKEN);
                    assertThat(ChainsHealth.of(chains).details().get("blocking").toString())
                            .contains("block for");
                    go.countDown();
                });
    }

    @Test
    void manyChainsOnBlockedLoopAnswerInTime() {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ApplicationContextRunner many = application.withPropertyValues(DISRUPTOR);
        for (int i = 0; i < 40; i++) {
            String name = "chain" + i;
            many = many.withBean(
                    name,
                    Chain.class,
                    () -> Chain.named(name)
                            .then("block", () -> (in, out) -> {
                                isHeld.countDown();
                                assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
                            })
                            .build());
        }
        many.run(context -> {
            BatonChains chains = context.getBean(BatonChains.class);
            chains.inlet("chain0").offer(new byte[0]);
            assertThat(isHeld.await(10, TimeUnit.SECONDS)).isTrue();
            ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
            long[] taken = {0};
            try {
                await().pollInSameThread()
                        .until(
                                () -> { // until the statuses before the block are too old
                                    long begun = System.nanoTime();
                                    ReadinessState state = availability.getState(
                                            ReadinessState.class, ReadinessState.ACCEPTING_TRAFFIC);
                                    taken[0] = System.nanoTime() - begun;
                                    return state == ReadinessState.REFUSING_TRAFFIC;
                                });
            } finally {
                go.countDown();
            }
            assertThat(Duration.ofNanos(taken[0])).isLessThan(Duration.ofMillis(2_500));
        });
    }

    @Test
    void blockedServiceDoesNotDelayTheStop() {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ApplicationContextRunner blocked = application.withPropertyValues(DISRUPTOR, "baton.shutdown-timeout=500ms");
        for (int i = 0; i < 8; i++) {
            String name = "chain" + i;
            blocked = blocked.withBean(
                    name,
                    Chain.class,
                    () -> Chain.named(name)
                            .then("block", () -> (in, out) -> {
                                isHeld.countDown();
                                assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
                            })
                            .build());
        }
        long[] stopped = {0};
        try {
            blocked.run(context -> {
                context.getBean(BatonChains.class).inlet("chain0").offer(new byte[0]);
                assertThat(isHeld.await(10, TimeUnit.SECONDS)).isTrue();
                stopped[0] = System.nanoTime();
            });
            assertThat(Duration.ofNanos(System.nanoTime() - stopped[0])).isLessThan(Duration.ofMillis(2_000));
        } finally {
            go.countDown();
        }
    }

    @Test
    void restartableChainHasAnInlet() {
        application.withPropertyValues(DISRUPTOR, "baton.restart.enabled=true").run(context -> {
            SharedInlet inlet = context.getBean(BatonChains.class).inlet(Doubling.NAME);
            assertThat(inlet.offerStored(Doubling.number(4)).join()).isEqualTo(1);
            await().until(() -> context.getBean(Doubling.class).doubled, doubled -> doubled.equals(List.of(8L)));
        });
    }

    @Test
    void metersAndTracesAreBoundWhenPresent() {
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build();
        application
                .withPropertyValues(DISRUPTOR)
                .withBean(OpenTelemetry.class, () -> sdk)
                .run(context -> {
                    MeterRegistry registry = new SimpleMeterRegistry();
                    assertThat(context.getBean(MeterBinder.class)).isInstanceOf(BatonMetrics.class);
                    context.getBean(BatonMetrics.class).bindTo(registry); // as Spring Boot does
                    SharedInlet inlet = context.getBean(BatonChains.class).inlet(Doubling.NAME);
                    var span = sdk.getTracer("test").spanBuilder("http").startSpan();
                    try (var scope = span.makeCurrent()) {
                        assertThat(scope).isNotNull();
                        inlet.offerStored(
                                        2L,
                                        ValueCodec.longs(0),
                                        new MessageFields().trace(dev.baton.opentelemetry.BatonTracing.current()))
                                .join();
                    }
                    await().until(() -> spans.getFinishedSpanItems().size() == 2);
                    assertThat(registry.get("baton.chain.running").gauge().value())
                            .isEqualTo(1);
                    await().until(() -> registry.get("baton.messages.consumed")
                                    .tag("service", "sink")
                                    .functionCounter()
                                    .count()
                            == 1);
                });
    }

    @Test
    void wrongPropertyIsNamedWithAllowedValues() {
        assertThat(refused())
                .contains(
                        "baton.transport", "name one of aeron, aeron-archive, aeron-udp, chronicle, disruptor, kafka");
        assertThat(refused("baton.transport=chronicel"))
                .contains(
                        "baton.transport",
                        "'chronicel'",
                        "aeron, aeron-archive, aeron-udp, chronicle, disruptor, kafka");
        assertThat(refused(DISRUPTOR, "baton.trasport=kafka")).contains("[baton.trasport]");
        assertThat(refused(DISRUPTOR, "baton.transports.disruptor.slot=8"))
                .contains("baton.transports.disruptor.slot", "it has slots, max-payload");
        assertThat(refused(DISRUPTOR, "baton.transports.disruptor.slots=7"))
                .contains("baton.transports.disruptor.slots", "'7'", "a power of two");
        assertThat(refused(DISRUPTOR, "baton.loops.count=0")).contains("baton.loops.count", "1 to 1024");
        assertThat(refused(DISRUPTOR, "baton.loops.latency-budget=1us"))
                .contains("baton.loops.latency-budget", "100 us");
        assertThat(refused(DISRUPTOR, "baton.chains.dubling.batch=1"))
                .contains("baton.chains.dubling", "there are [doubling]");
        assertThat(refused(DISRUPTOR, "baton.chains.doubling.batch=0")).contains("baton.chains.doubling.batch");
        assertThat(refused(DISRUPTOR, "baton.chains.doubling.inlet-capacity=16777217"))
                .contains("baton.chains.doubling.inlet-capacity", "1 to 16777216");
        assertThat(refused(DISRUPTOR, "baton.chains.doubling.inlet-capacity=0"))
                .contains("baton.chains.doubling.inlet-capacity", "1 to 16777216");
        assertThat(refused(DISRUPTOR, "baton.shutdown-timeout=-1s"))
                .contains("baton.shutdown-timeout", "0 or more is allowed");
        assertThat(refused(DISRUPTOR, "baton.stuck-after=-1s")).contains("baton.stuck-after", "0 or more is allowed");
        assertThat(refused(DISRUPTOR, "baton.restart.enabled=true", "baton.restart.first-pause=-1s"))
                .contains("baton.restart.first-pause", "PT0.001S to PT1H is allowed");
        assertThat(refused(DISRUPTOR, "baton.restart.enabled=true", "baton.restart.longest-pause=-1s"))
                .contains("baton.restart.longest-pause");
        assertThat(refused(DISRUPTOR, "baton.chains.doubling.partitions=0"))
                .contains("baton.chains.doubling.partitions", "1 to 1024");
        assertThat(refused(DISRUPTOR, "baton.chains.doubling.member=a"))
                .contains("baton.chains.doubling.member", "set baton.chains.doubling.partitions");
        assertThat(refused(DISRUPTOR, "baton.chains.doubling.from-kafka=numbers"))
                .contains("baton.kafka-topics.bootstrap-servers", "topic 'numbers'");
    }

    @Test
    void environmentOptionMayLackHyphens() {
        application
                .withPropertyValues(DISRUPTOR)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                java.util.Map.of("BATON_TRANSPORTS_DISRUPTOR_MAX_PAYLOAD", "77"))))
                .run(context -> assertThat(context.getBean(BatonTransports.class)
                                .of("", "disruptor")
                                .maxPayload())
                        .isEqualTo(77));
    }

    @Test
    void secondApplicationIsToldTheOwner() {
        ApplicationContextRunner overChronicle = application.withPropertyValues(
                "baton.transport=chronicle", "baton.transports.chronicle.dir=" + directory);
        overChronicle.run(first -> {
            first.getBean(BatonChains.class).inlet(Doubling.NAME);
            overChronicle.run(second -> {
                assertThat(second).hasFailed();
                FailureAnalysis said = new StartFailureAnalyzer().analyze(second.getStartupFailure());
                assertThat(said.getDescription())
                        .contains("chain 'doubling' did not start", "live writer", String.valueOf(directory));
            });
        });
    }

    @Test
    void failedStartLeavesNothing() {
        application
                .withPropertyValues(DISRUPTOR)
                .withBean(
                        "failing",
                        Chain.class,
                        () -> Chain.named("failing")
                                .then("none", () -> {
                                    throw new IllegalStateException("no licence");
                                })
                                .build())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("no licence")); // and no loop, as after each test
    }

    @Test
    void aTransportBeanOfTheApplicationWins() {
        DisruptorTransport own = DisruptorTransport.create();
        application
                .withBean(Transport.class, () -> own)
                .run(context -> assertThat(
                                context.getBean(BatonTransports.class).of("", null))
                        .isSameAs(own));
    }

    @Test
    void stoppedChainsAreNotReady() {
        application.withPropertyValues(DISRUPTOR).run(context -> {
            ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
            context.getBean(BatonChains.class).stop();
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
        });
    }

    @Test
    void chainsWithoutAutoStartAreNotReady() {
        application.withPropertyValues(DISRUPTOR, "baton.auto-start=false").run(context -> {
            ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
            context.getBean(BatonChains.class).start();
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
        });
    }
}
