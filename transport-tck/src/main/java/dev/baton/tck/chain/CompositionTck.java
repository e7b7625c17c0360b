package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.Merge;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.AllocationMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract on taps, branches and merges: every edge delivers each message once and in order across restarts. */
public abstract class CompositionTck extends WholeChainTck {
    private static final int LIVES = 5;
    private static final int FRAMES_PER_LIFE = 12;
    private static final int MOST_IN_FLIGHT = 64; // of messages that allocate nothing

    private static final String ODD = "odd";
    private static final String EVEN = "even";

    private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> tapped = Collections.synchronizedList(new ArrayList<>());

    /** Called by the test of a transport. */
    protected CompositionTck() {}

    @Test
    void tapReceivesTheMessagesOfTheChainsConsumer() {
        Chain chain = Chain.named(name)
                .then("pass", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start();
                RunningChain tap = tap(chain.topic(0, 1), loops)) {
            send(running, 1, 20);
            assertThat(running.close(limit())).isTrue();
            awaitTapped(20);
            assertThat(tap.failure()).isEmpty();
        }
        assertThat(received).containsExactlyElementsOf(upTo(20));
        assertThat(tapped).containsExactlyElementsOf(upTo(20));
    }

    @Test
    void reattachedTapContinuesBehindItsLastMessage() {
        Chain chain = Chain.named(name).build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        chain.on(transport).with(loops).onOutput(in -> {}).start()) {
            try (RunningChain tap = tap(chain.topic(0, 0), loops)) {
                send(running, 1, 5);
                awaitTapped(5);
                assertThat(tap.close(limit())).isTrue();
            }
            send(running, 6, 8);
            try (RunningChain tap = tap(chain.topic(0, 0), loops)) {
                awaitTapped(8);
                assertThat(tap.firstSequence()).isIn(OptionalLong.of(6), OptionalLong.empty());
            }
        }
        assertThat(tapped).containsExactlyElementsOf(upTo(8));
    }

    @Test
    void tapWithoutTopicOrFreeNameIsRefused() {
        Chain chain = Chain.named(name).build();
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> tap(chain.topic(0, 0), loops), "a tap of a topic that does not exist")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(chain.topic(0, 0));
            assumeTrue(fixture.refusesSecondReader(), "lets a second reader of a consumer in");
            transport.createTopics(List.of(chain.topic(0, 0)));
            try (RunningChain tap = tap(chain.topic(0, 0), loops)) {
                assertThatThrownBy(() -> tap(chain.topic(0, 0), loops), "a second tap of that name")
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("audit");
                assertThat(tap.failure()).isEmpty();
            }
        }
    }

    @Test
    void mergeOfAMissingTopicLeavesNothingBehind() {
        String missing = name + ".missing";
        transport.createTopics(List.of(name));
        Merge merge = Merge.named(name + ".m").from(name).from(missing).build();
        Chain branch = Chain.named(name + ".b")
                .from(missing)
                .then("pass", () -> (in, out) -> out.forward(in))
                .build();
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(
                            () -> merge.on(transport)
                                    .with(loops)
                                    .onFailure(failure -> {})
                                    .start(),
                            "a merge of a topic that does not exist")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(missing);
            assertThatThrownBy(
                            () -> branch.on(transport)
                                    .with(loops)
                                    .onFailure(failure -> {})
                                    .start(),
                            "a branch of a topic that does not exist")
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(missing);
            assertThat(transport.topics()).doesNotContain(missing);
            transport.createTopics(List.of(missing));
            try (RunningChain merging = merge.on(transport).with(loops).start();
                    RunningChain branching = branch.on(transport).with(loops).start()) {
                assertThat(merging.failure()).isEmpty();
                assertThat(branching.failure()).isEmpty();
            }
        }
    }

    @Test
    void secondRunOfAMergeIsRefused() {
        assumeTrue(fixture.refusesSecondReader() && fixture.refusesSecondWriter(), "admits rivals");
        transport.createTopics(List.of(name + ".one", name + ".two"));
        Merge merge =
                Merge.named(name + ".m").from(name + ".one").from(name + ".two").build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain first = merge.on(transport).with(loops).start()) {
            assertThatThrownBy(
                            () -> merge.on(transport)
                                    .with(loops)
                                    .onFailure(failure -> {})
                                    .start(),
                            "a second run of a merge")
                    .isInstanceOf(TransportException.class);
            assertThat(first.failure()).isEmpty();
            assertThat(first.close(limit())).isTrue();
            try (RunningChain again = merge.on(transport).with(loops).start()) {
                assertThat(again.failure()).isEmpty();
            }
        }
    }

    @Test
    void branchesAndMergesDeliverOnceInOrder() {
        Composition composition = new Composition(0);
        transport.createTopics(List.of(name));
        composition.live(true);
        composition.audit();
    }

    @Test
    void noEdgeRepeatsOrLosesMessagesAcrossStops() {
        Composition composition = new Composition(fixture.newTopic().hashCode());
        transport.createTopics(List.of(name));
        for (int life = 1; life < LIVES; life++) {
            composition.live(false);
            if (transport.guarantees().contains(Guarantee.DURABLE)) {
                transport.close();
                transport = fixture.reopen();
            }
        }
        composition.live(true);
        composition.audit();
    }

    @Test
    @Tag("allocation")
    void mergeAndTapAllocateNothingOnceWarm() {
        assumeTrue(fixture.allocatesNothing(), "this transport does not claim it");
        AtomicInteger merged = new AtomicInteger();
        byte[] payload = payload(1);
        Chain first = Chain.named(name + ".first").build();
        Chain second = Chain.named(name + ".second").build();
        Merge merge = Merge.named(name + ".m")
                .from(first.topic(0, 0))
                .from(second.topic(0, 0))
                .build();
        try (Loops loops = Loops.manual().idle(Idle.spin());
                RunningChain one = first.on(transport).with(loops).start();
                RunningChain two = second.on(transport).with(loops).start();
                RunningChain merging = merge.on(transport).with(loops).start();
                RunningChain tap = Chain.tap("audit", merge.topic())
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> merged.set(merged.get() + 1))
                        .start()) {
            Inlet[] inlets = {one.inlet(), two.inlet()};
            AllocationMeter.assertNothingAllocated(
                    messages -> {
                        merged.set(0);
                        for (int sent = 0; sent < messages; sent += 2) {
                            inlets[0].send(payload);
                            inlets[1].send(payload);
                            do {
                                loops.turn();
                            } while (sent + 2 - merged.get() > MOST_IN_FLIGHT
                                    && merging.failure().isEmpty());
                        }
                        while (merged.get() < messages && merging.failure().isEmpty()) {
                            loops.turn();
                        }
                    },
                    2);
            assertThat(tap.failure()).isEmpty();
            assertThat(merging.failure()).isEmpty();
        }
    }

    /** A topic, two branches of it by a predicate, a merge of both, and a tap of the merge. */
    private final class Composition {
        private final Random random;
        private final long seed;
        private final Merge merge = Merge.named(name + ".m")
                .from(name + ".odd-1")
                .from(name + ".even-1")
                .build();
        private final List<String> edges = Collections.synchronizedList(new ArrayList<>());
        private long written;

        Composition(long seed) {
            this.seed = seed;
            random = new Random(seed);
        }

        void live(boolean isLast) {
            try (Loops loops = Loops.cooperative(1)) {
                Transport losing =
                        isLast ? transport : new LostAcknowledgements(transport, new Random(random.nextLong()), 3);
                List<RunningChain> running = new ArrayList<>();
                running.add(branch(ODD, 1, losing, loops, isLast));
                running.add(branch(EVEN, 0, losing, loops, isLast));
                running.add(merge.on(losing)
                        .with(loops)
                        .batch(1 + random.nextInt(8))
                        .onFailure(failure -> {})
                        .start());
                RunningChain tap = Chain.tap("audit", merge.topic())
                        .on(transport)
                        .with(loops)
                        .onFailure(failure -> {})
                        .onOutput(in -> {
                            boolean isOdd = merge.inputOf(in).equals(name + ".odd-1");
                            edges.add((isOdd ? ODD : EVEN) + " " + in.cause() + " " + in.getLong(0));
                            tapped.add(in.getLong(0));
                        })
                        .start();
                running.add(tap);
                write(isLast);
                if (isLast) {
                    awaitTapped((int) written);
                } else {
                    new Turns(fixture.longestWait())
                            .until(
                                    "a crash, or that all is merged",
                                    "every message of each input is merged",
                                    () -> tapped.size() == written
                                            || running.stream()
                                                    .anyMatch(each ->
                                                            each.failure().isPresent()));
                }
                Collections.shuffle(running, random);
                running.forEach(each -> each.close(Duration.ZERO));
            }
        }

        private RunningChain branch(String which, int remainder, Transport on, Loops loops, boolean isLast) {
            AtomicInteger left = new AtomicInteger(isLast ? Integer.MAX_VALUE : 1 + random.nextInt(FRAMES_PER_LIFE));
            Service crashing = (in, out) -> {
                out.forward(in);
                if (left.getAndDecrement() == 0) {
                    throw new IllegalStateException("crash");
                }
            };
            return Chain.named(name + "." + which)
                    .from(name, in -> in.getLong(0) % 2 == remainder)
                    .then("pass", () -> crashing)
                    .build()
                    .on(on)
                    .with(loops)
                    .batch(1 + random.nextInt(8))
                    .onFailure(failure -> {})
                    .start();
        }

        private void write(boolean isLast) {
            try (Connection connection = transport.connect()) {
                TopicProbe topic = new TopicProbe(name, connection, new Turns(fixture.longestWait(), connection));
                for (int i = 0; i < FRAMES_PER_LIFE && (isLast || topic.writer().remainingCapacity() > 0); i++) {
                    topic.commit(payload(++written), 0, 0, 0, 0, 0);
                    topic.writer().flush();
                }
                topic.awaitStored();
            }
        }

        void audit() {
            List<String> odd = new ArrayList<>();
            List<String> even = new ArrayList<>();
            for (long value = 1; value <= written; value++) {
                List<String> edge = value % 2 == 1 ? odd : even;
                edge.add((value % 2 == 1 ? ODD : EVEN) + " " + (edge.size() + 1) + " " + value);
            }
            assertThat(edges.stream().filter(each -> each.startsWith(ODD)))
                    .as("the first input, seed %d", seed)
                    .containsExactlyElementsOf(odd);
            assertThat(edges.stream().filter(each -> each.startsWith(EVEN)))
                    .as("the second input, seed %d", seed)
                    .containsExactlyElementsOf(even);
        }
    }

    private RunningChain tap(String topic, Loops loops) {
        return Chain.tap("audit", topic)
                .on(transport)
                .with(loops)
                .onFailure(failure -> {})
                .onOutput(in -> tapped.add(in.getLong(0)))
                .start();
    }

    private void awaitTapped(int count) {
        new Turns(limit())
                .until(count + " messages at the tap", "a tap gets every message", () -> tapped.size() >= count);
    }

    private static void send(RunningChain running, long from, long to) {
        for (long value = from; value <= to; value++) {
            running.inlet().send(payload(value));
        }
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
