package dev.baton.lab.systems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.FakeLaboratory;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
@Tag("slow")
class SystemRigTest {
    private static final long MILLI = 1_000_000;
    private static final Load EVEN = new Load(500, Load.Arrivals.EVEN, 7);

    @TempDir
    private Path temporary;

    private TrialResult measure(String fault, Load load) {
        return measure(fault, load, 400);
    }

    private TrialResult measure(String fault, Load load, long millis) {
        TrialPlan plan = new TrialPlan(
                "faulty",
                new Subject(Subject.SYSTEM, "faulty", Map.of("fault", fault)),
                new Shape(5, 2, 21),
                load,
                new LoopPlan(LoopPlan.PER_SERVICE, null, 0),
                new Phases(100 * MILLI, millis * MILLI, 1_000 * MILLI),
                List.of());
        PlacedTrial trial = new PlacedTrial(plan, new Place(temporary.toString(), null, null, null, null, null, false));
        return new TrialRunner(trial, ChainWorkload::open, event -> {}).run();
    }

    private FakeLaboratory typed(String... arguments) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(FakeTrial.class);
        laboratory.run(arguments);
        return laboratory;
    }

    @Test
    void everyMessageIsAccountedFor() {
        TrialResult result = measure("none", EVEN);

        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().sent()).isEqualTo(500);
        assertThat(result.delivery().delivered()).isEqualTo(500);
        assertThat(result.plan().shape().services()).isZero();
        assertThat(result.plan().load().isSentFromThread()).isTrue();
        assertThat(result.transport().properties()).containsEntry("durability", "memory");
    }

    @Test
    void saturationIsLimitedByMessagesInFlight() {
        Delivery delivery = measure("none", Load.saturating(7)).delivery();

        assertThat(delivery.isFaultless()).isTrue();
        assertThat(delivery.delivered()).isEqualTo(delivery.sent()).isPositive();
    }

    @Test
    void backlogIsHandledAndCaughtUpWith() {
        TrialResult result = measure("none", EVEN.after(20_000));

        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().sent()).isEqualTo(500 + 2 * 20_000);
        assertThat(result.rate().backlog().messages()).isEqualTo(20_000);
        assertThat(result.rate().backlog().handledNanos()).isBetween(1L, 1_400 * MILLI);
    }

    @ParameterizedTest
    @CsvSource({
        "lose, 2, 0, 0, 0",
        "duplicate, 0, 2, 0, 0",
        "reorder, 0, 0, 2, 0",
        "alter, 0, 0, 0, 2",
        "alter-slot, 2, 0, 0, 2",
        "alter-send-delay, 0, 0, 0, 2",
        "alter-checksum, 0, 0, 0, 2",
        "cut, 2, 0, 0, 2"
    })
    void faultsOfASystemFailTheTrial(String fault, long lost, long duplicated, long reordered, long corrupted) {
        TrialResult result = measure(fault, EVEN);

        Delivery delivery = result.delivery();
        assertThat(List.of(delivery.lost(), delivery.duplicated(), delivery.reordered(), delivery.corrupted()))
                .containsExactly(lost, duplicated, reordered, corrupted);
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
    }

    @ParameterizedTest
    @CsvSource({
        "throw, instance 1 stopped: poll of dev.baton.lab.systems.FaultySystem from",
        "throw, threw java.lang.IllegalStateException: the queue is broken",
        "throw-send, instance 1 stopped: trySend of dev.baton.lab.systems.FaultySystem from",
        "throw-close, instance 1 stopped: close of dev.baton.lab.systems.FaultySystem from",
        "null-message, instance 1 stopped: onMessage was called with null instead of a message",
        "switch, one thread calls the receiver of an instance",
        "silent, threw java.lang.IllegalStateException: the server does not answer",
        "block-send, has not returned for 10 s; it returns false instead of blocking"
    })
    void failuresOfASystemEndTheTrial(String fault, String message) {
        assertThat(measure(fault, EVEN).outcome().reasons())
                .anySatisfy(reason -> assertThat(reason).contains(message));
    }

    @Test
    void systemThatRefusesEveryMessageFails() {
        TrialResult result = measure("full", EVEN, 2_200);

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons())
                .anySatisfy(reason ->
                        assertThat(reason).containsPattern("returned false [0-9,]+ times in a row, for [23] s"));
    }

    @Test
    void blockedCloseIsNamedWithItsPlace() {
        TrialResult result = measure("block-close", EVEN);

        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.outcome().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("close of dev.baton.lab.systems.FaultySystem from", "has not returned", "it is at"));
    }

    @Test
    void missingInstanceIsExplained() {
        assertThatThrownBy(() -> measure("null", EVEN))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("returned null; it returns the instance");
    }

    @Test
    void optionsThatASystemRefusesAreUsageErrors() {
        assertThatThrownBy(() -> measure("refuse", EVEN))
                .isInstanceOf(CommandException.class)
                .hasMessage(
                        "cannot open system 'faulty' with --system-option fault=refuse: fault refuse is not allowed");
    }

    @Test
    void systemsAreListedWithTheirOptions() {
        assertThat(typed("systems").out()).contains("faulty", "a queue with a fault", "--system-option fault=none");
    }

    @ParameterizedTest
    @CsvSource({
        "--engine=system:absent, unknown system 'absent'; known: faulty",
        "--engine=system:faulty --system-option=size=3, --system-option size: no system of --engine has it",
        "--engine=system:faulty --backlog=5 --rate=max, --backlog comes before messages at even intervals",
        "--engine=system:faulty --backlog=0, --backlog 0 is out of range; 1 to 100000000",
        "--engine=system:faulty --services=3, --services: a system has no services"
    })
    void wrongArgumentsAreExplained(String arguments, String message) {
        assertThat(typed(("chain " + arguments).split(" ")).err()).contains(message);
    }
}
