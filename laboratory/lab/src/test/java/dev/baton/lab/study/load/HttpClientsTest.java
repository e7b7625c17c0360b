package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HttpClientsTest {
    private static final long MILLI = 1_000_000;

    /** Clients whose thread ends with a failure. */
    private record Failing(Exception exception, Error error) implements ClientSide {
        @Override
        public void connect() {}

        @Override
        public void run(Answers answers, LongSupplier endNanos, BooleanSupplier isStopped)
                throws ClosedChannelException {
            if (error != null) {
                throw error;
            }
            throw (ClosedChannelException) exception;
        }

        @Override
        public List<Long> open() {
            return List.of();
        }

        @Override
        public double cpuCores() {
            return 0;
        }

        @Override
        public void close() {}
    }

    static Stream<Failing> failures() {
        return Stream.of(
                new Failing(null, new NoClassDefFoundError("dev/baton/Missing")),
                new Failing(new ClosedChannelException(), null)); // which has no message
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anyFailureOfClientsIsReported(Failing failing) {
        TrialPlan plan = new TrialPlan(
                "load",
                new Subject(Subject.BATON, "disruptor", Map.of()),
                new Shape(1, 1, 16),
                Load.saturating(1),
                new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0),
                new Phases(MILLI, MILLI, MILLI),
                List.of());
        Window window = Window.of(plan);
        Instruments instruments = new Instruments(
                new PlacedTrial(plan, new Place(".", null, null, null, null, null, false)),
                window,
                new RecorderPool(1_000 * MILLI),
                SenderGaps.Pool.none(),
                1_000 * MILLI);
        HttpServerSide server = new HttpServerSide.Elsewhere(URI.create("http://localhost:1/"));
        try (HttpClients clients = new HttpClients(instruments, server, failing, "clients")) {
            window.start(System.nanoTime(), MILLI, MILLI, MILLI);
            clients.start(0);
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(clients.failure()).isPresent());
        }
    }
}
