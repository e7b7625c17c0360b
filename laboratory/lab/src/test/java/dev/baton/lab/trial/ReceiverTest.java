package dev.baton.lab.trial;

import static dev.baton.lab.trial.Bench.MILLI;
import static dev.baton.lab.trial.Bench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Incident.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReceiverTest {
    static Stream<Load> loads() {
        return Stream.of(Plans.EVEN_1000, Plans.POISSON_1000);
    }

    private static Bench sent(Load load) {
        Bench bench = new Bench(load, 60 * SECOND).start(0, SECOND, SECOND);
        for (; bench.now < SECOND; bench.now += MILLI / 10) {
            bench.send();
        }
        return bench;
    }

    private static Delivery deliver(Bench bench, List<Bench.Sent> messages) {
        messages.forEach(bench::arrives);
        return bench.settle().delivery();
    }

    @ParameterizedTest
    @MethodSource("loads")
    void aLostMessageIsNamed(Load load) {
        Bench bench = sent(load);
        List<Bench.Sent> messages = new ArrayList<>(bench.wire);
        messages.remove(10);
        Delivery delivery = deliver(bench, messages);

        assertThat(delivery.lost()).isEqualTo(1);
        assertThat(delivery.incidents()).containsExactly(new Incident(1, 11, Kind.LOST, "not arrived"));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void duplicateIsCountedNotRecorded(Load load) {
        Bench bench = sent(load);
        List<Bench.Sent> messages = new ArrayList<>(bench.wire);
        messages.add(500, messages.get(7));
        messages.add(messages.get(messages.size() - 1));
        Delivery delivery = deliver(bench, messages);

        assertThat(delivery.duplicated()).isEqualTo(2);
        assertThat(delivery.delivered()).isEqualTo(delivery.sent());
        assertThat(bench.figures.response().getTotalCount()).isEqualTo(delivery.sent());
        assertThat(delivery.incidents().get(0)).matches(incident -> incident.sequence() == 8);
    }

    @ParameterizedTest
    @MethodSource("loads")
    void overtakenMessageIsReorderedAndRecorded(Load load) {
        Bench bench = sent(load);
        List<Bench.Sent> messages = new ArrayList<>(bench.wire);
        messages.add(600, messages.remove(3));
        Delivery delivery = deliver(bench, messages);

        assertThat(delivery.reordered()).isEqualTo(1);
        assertThat(delivery.lost()).isZero();
        assertThat(bench.figures.response().getTotalCount()).isEqualTo(delivery.sent());
        assertThat(delivery.incidents().get(0).kind()).isEqualTo(Kind.REORDERED);
    }

    @ParameterizedTest
    @MethodSource("loads")
    void wrongHopsLengthOrOriginAreCorruption(Load load) {
        Bench bench = sent(load);
        List<Bench.Sent> messages = new ArrayList<>(bench.wire);
        bench.arrivesWith(messages.get(0).originNanos(), 4, 0);
        bench.arrivesWith(messages.get(1).originNanos(), 5, 8);
        bench.arrivesWith(messages.get(2).originNanos() + 1, 5, 0);
        bench.arrivesWith(Long.MAX_VALUE, 5, 0);
        Delivery delivery = deliver(bench, messages.subList(3, messages.size()));

        assertThat(delivery.corrupted()).isEqualTo(4);
        assertThat(delivery.lost()).isEqualTo(1);
        assertThat(delivery.incidents())
                .extracting(Incident::detail)
                .contains(
                        "4 hops instead of 5",
                        "8 bytes of payload instead of 0",
                        "its origin is not a message of this instance");
    }

    @ParameterizedTest
    @MethodSource("loads")
    void overtakenAndRepeatedMessagesAreForgotten(Load load) {
        Bench bench = sent(load);
        List<Bench.Sent> messages = new ArrayList<>(bench.wire);
        Collections.shuffle(messages, new Random(1));
        messages.addAll(messages.subList(0, 100));
        Delivery delivery = deliver(bench, messages);

        assertThat(delivery.delivered()).isEqualTo(delivery.sent());
        assertThat(delivery.duplicated()).isEqualTo(100);
        assertThat(delivery.corrupted()).isZero();
    }
}
