package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.Place.Spread;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service beside the trial that drops a message, and one that is only slow. */
class SpreadLossTest {
    private static final long MILLI = 1_000_000;
    private static final String CHAIN = "spread";

    @TempDir
    private Path temporary;

    private long taken;

    @Test
    void messageDroppedElsewhereIsLost() throws Exception {
        TrialResult result = run((in, out) -> {
            if (++taken != 150) {
                out.forward(in);
            }
        });

        assertThat(result.delivery().lost()).isEqualTo(1);
        assertThat(result.delivery().undrained()).isZero();
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0)).contains("1 of 200 messages lost", "message 150");
    }

    @Test
    void inFlightMessagesElsewhereAreNotLost() throws Exception {
        TrialResult result = run((in, out) -> {
            LockSupport.parkNanos(++taken < 150 ? 0 : 300 * MILLI);
            out.forward(in);
        });

        assertThat(result.delivery().lost()).isZero();
        assertThat(result.delivery().undrained()).isPositive();
        assertThat(result.outcome().reasons()).noneMatch(reason -> reason.contains("lost"));
    }

    private TrialResult run(Service service) throws Exception {
        Path queues = temporary.resolve("queues");
        TrialPlan plan = new TrialPlan(
                "loss",
                new Subject(Subject.BATON, "chronicle", Map.of("dir", queues.toString())),
                new Shape(1, 1, 0),
                new Load(500, Load.Arrivals.EVEN, 7),
                new LoopPlan("cooperative:1", "yielding", 0),
                new Phases(100 * MILLI, 300 * MILLI, 300 * MILLI),
                List.of());
        String results = Files.createDirectory(temporary.resolve("results")).toString();
        Place place = new Place(results, null, null, null, null, new Spread(CHAIN, List.of()), false);
        Chain chain = Chain.named(CHAIN).then("s1", () -> service).build();
        try (Transport elsewhere = ChronicleTransport.in(queues)) {
            elsewhere.createTopics(List.of(chain.topic(0, 0), chain.topic(0, 1)));
            try (Loops loops = Loops.cooperative(1);
                    RunningChain running =
                            chain.on(elsewhere).only("s1").with(loops).start()) {
                TrialResult result =
                        new TrialRunner(new PlacedTrial(plan, place), ChainWorkload::open, event -> {}).run();
                running.close(Duration.ofMillis(1));
                return result;
            }
        }
    }
}
