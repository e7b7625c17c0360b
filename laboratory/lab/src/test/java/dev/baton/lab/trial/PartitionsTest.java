package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Keys;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Incident.Kind;
import dev.baton.lab.trial.ends.ArrivalListener;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.Mix;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.machine.SenderGaps;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;

/** The delivery account of a chain with partitions: in order within each, in any order between them. */
class PartitionsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Keys KEYS = new Keys(50, 0, 3);

    private record Sent(long number, long originNanos, int tag, int partition) {}

    private final Window window = new Window(Window.LEAST_GRACE_NANOS);
    private final LongToIntFunction keys = KEYS.drawing().apply(Mix.of(1, 1));
    private final IntUnaryOperator partitioning = KEYS.partitioning();
    private final List<Sent> sent = new ArrayList<>();
    private long now = 1;
    private final Instance instance = Instance.of(
            null,
            new TrialPlan(
                    "t",
                    new Subject(Subject.BATON, "wire", Map.of()),
                    new Shape(0, 1, 0).keyed(KEYS),
                    Plans.EVEN_1000,
                    new LoopPlan("cooperative:1", null, 0),
                    new Phases(0, SECOND, SECOND),
                    List.of()),
            0,
            null,
            keys,
            new Instruments.Meters(
                    window, () -> now, new RecorderPool(60 * SECOND), SenderGaps.Pool.none(), 60 * SECOND),
            ArrivalListener.NONE);

    PartitionsTest() {
        window.start(now, 0, SECOND, SECOND);
        for (; now < SECOND; now += SECOND / 10_000) {
            instance.generator()
                    .onTurn((number, origin, tag) ->
                            sent.add(new Sent(number, origin, tag, partitioning.applyAsInt(keys.applyAsInt(number)))));
        }
    }

    private List<Sent> ofPartition(int partition) {
        return new ArrayList<>(
                sent.stream().filter(each -> each.partition() == partition).toList());
    }

    private void arrives(Sent message, int partition) {
        instance.receiver(partition).onMessage(message.originNanos(), message.tag(), 0, 0, null);
    }

    private void arrive(List<Sent> messages) {
        messages.forEach(each -> arrives(each, each.partition()));
    }

    private Delivery settle() {
        window.close(now);
        return TrialAccounting.settle(List.of(instance), window, any -> true, LatencyHistograms.upTo(60 * SECOND))
                .delivery();
    }

    @Test
    void partitionsMayOvertakeOneAnother() {
        for (int partition : new int[] {2, 0, 1}) {
            arrive(ofPartition(partition));
        }
        Delivery delivery = settle();

        assertThat(delivery.isFaultless()).as("%s", delivery).isTrue();
        assertThat(delivery.delivered()).isEqualTo(sent.size());
        assertThat(instance.isDone()).isTrue();
        assertThat(instance.responses().count()).isEqualTo(sent.size());
    }

    @Test
    void overtakenMessageOfAPartitionIsReordered() {
        List<Sent> messages = ofPartition(1);
        Sent overtaken = messages.remove(10);
        messages.add(20, overtaken);
        Sent before = messages.get(19);
        arrive(messages);
        arrive(ofPartition(0));
        arrive(ofPartition(2));
        Delivery delivery = settle();

        assertThat(delivery.reordered()).isEqualTo(1);
        assertThat(delivery.lost()).isZero();
        assertThat(delivery.incidents())
                .containsExactly(new Incident(
                        1,
                        overtaken.number() + 1,
                        Kind.REORDERED,
                        "message " + (before.number() + 1) + " had arrived before it"));
    }

    @Test
    void lostAndRepeatedMessagesAreNamed() {
        List<Sent> messages = ofPartition(2);
        Sent lost = messages.remove(5);
        Sent last = messages.get(messages.size() - 1);
        messages.add(last);
        arrive(messages);
        arrive(ofPartition(0));
        arrive(ofPartition(1));
        Delivery delivery = settle();

        assertThat(delivery.delivered()).isEqualTo(sent.size() - 1);
        assertThat(delivery.incidents())
                .containsExactlyInAnyOrder(
                        new Incident(1, last.number() + 1, Kind.DUPLICATED, "it had arrived before"),
                        new Incident(1, lost.number() + 1, Kind.LOST, "not arrived"));
        assertThat(instance.responses().count()).isEqualTo(sent.size());
    }

    @Test
    void messageInAnotherPartitionIsCorrupted() {
        Sent first = sent.get(0);
        arrives(first, (first.partition() + 1) % KEYS.partitions());
        arrive(sent.subList(1, sent.size()));
        Delivery delivery = settle();

        assertThat(delivery.corrupted()).isEqualTo(1);
        assertThat(delivery.lost()).isEqualTo(1);
        assertThat(delivery.incidents()).extracting(Incident::detail).contains("its key is of another partition");
    }

    @Test
    void shuffledPartitionsAreCompleteAfterAll() {
        List<Sent> messages = new ArrayList<>(sent);
        Collections.shuffle(messages, new Random(1));
        arrive(messages);
        Delivery delivery = settle();

        assertThat(delivery.delivered()).isEqualTo(sent.size());
        assertThat(delivery.lost() + delivery.duplicated() + delivery.corrupted())
                .isZero();
        assertThat(delivery.reordered()).isPositive();
    }

    @Test
    void instanceIsDoneWhenAllPartitionsAre() {
        arrive(ofPartition(1));
        arrive(ofPartition(2));
        assertThat(instance.isDone()).isFalse();
        arrive(ofPartition(0));
        assertThat(instance.isDone()).isTrue();
    }
}
