package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Source.SourceContext;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources that read what others have stored: they go on behind the newest message, and tell when they may forget. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SourceTest {
    private static final long INPUT = 77;

    private final HostileTransport transport = new HostileTransport();
    private final List<Long> received = new ArrayList<>();

    /** Feeds positions up to a last one, two in a call. */
    private static class Positions implements Source {
        final long input;
        final long last;
        final List<String> calls = new ArrayList<>();
        SourceContext context;
        long next;
        long sent;
        long stored;

        Positions(long input, long last) {
            this.input = input;
            this.last = last;
        }

        @Override
        public void onStart(SourceContext given) {
            context = given;
            long newest = given.resume(input);
            calls.add("resume " + newest);
            next = newest + 1;
        }

        @Override
        public int onTick(Outlet out) {
            int work = 0;
            for (; next <= last && work < 2; next++, work++) {
                context.position(next);
                Claim claim = out.claim(8);
                if (claim == null) {
                    break;
                }
                sent = claim.putLong(0, next).commit(8);
            }
            return work;
        }

        @Override
        public void onStored(long sequence) {
            stored = sequence;
        }

        @Override
        public void onClose() {
            calls.add("close " + (stored == sent ? "with all stored" : stored + " of " + sent + " stored"));
        }
    }

    private void run(Source source, int messages) {
        Chain chain = Chain.named("c").build();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .from(source)
                        .onOutput(in -> received.add(in.getLong(0)))
                        .start()) {
            while (received.size() < messages) {
                loops.turn();
                assertThat(running.failure()).isEmpty();
            }
        }
    }

    @Test
    void sourceContinuesAfterNewestStoredMessage() {
        Positions first = new Positions(INPUT, 4);
        run(first, 5);
        Positions second = new Positions(INPUT, 6);
        run(second, 7);
        assertThat(received).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(first.calls).containsExactly("resume -1", "close with all stored");
        assertThat(second.calls).containsExactly("resume 4", "close with all stored");
        assertThat(transport.frames("c-0").get(6).cause())
                .as("position plus one")
                .isEqualTo(7);
    }

    @Test
    void messagesOfOneTurnShareTheirOrigin() {
        run(new Positions(INPUT, 3), 4); // two in a turn
        List<Long> origins = transport.frames("c-0").stream()
                .map(frame -> frame.originNanos())
                .toList();
        assertThat(origins.get(1)).isEqualTo(origins.get(0));
        assertThat(origins.get(2)).isGreaterThan(origins.get(1));
        assertThat(origins.get(3)).isEqualTo(origins.get(2));
    }

    @Test
    void positionsInAnotherInputAreUnknown() {
        run(new Positions(INPUT, 4), 5);
        Positions other = new Positions(INPUT + 1, 0);
        run(other, 6);
        assertThat(other.calls).contains("resume -1");
    }

    @Test
    void messagesWithoutAPositionHaveNone() {
        run(
                new Source() {
                    private boolean isDone;

                    @Override
                    public int onTick(Outlet out) {
                        if (!isDone) {
                            out.claim(8).putLong(0, 1).commit(8);
                            isDone = true;
                        }
                        return 1;
                    }
                },
                1);
        Positions next = new Positions(INPUT, 0);
        run(next, 2);
        assertThat(next.calls).contains("resume -1");
    }

    @Test
    void whatAFailedCallSentLeavesNoPosition() {
        Positions failing = new Positions(INPUT, 9) {
            @Override
            public int onTick(Outlet out) {
                super.onTick(out);
                if (next == 4) {
                    throw new IllegalStateException("breaks behind position 3");
                }
                return 1;
            }
        };
        Chain chain = Chain.named("c").build();
        try (Loops loops = Loops.manual();
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .from(failing)
                        .onFailure(thrown -> {})
                        .start()) {
            while (running.failure().isEmpty()) {
                loops.turn();
            }
        }
        Positions next = new Positions(INPUT, 1);
        run(next, 2);
        assertThat(next.calls).contains("resume 1");
        assertThat(failing.calls).as("closed once").hasSize(2);
    }

    @Test
    void sourceThatCannotStartFailsTheChain() {
        Positions source = new Positions(0, 1);
        try (Loops loops = Loops.manual()) {
            Deployment deployment =
                    Chain.named("c").build().on(transport).with(loops).from(source);
            assertThatThrownBy(deployment::start).hasStackTraceContaining("an input of identity 0");
        }
        assertThat(source.calls).containsExactly("close with all stored");
    }

    @Test
    void sourceWhoseReportFailsIsClosed() {
        Positions source = new Positions(INPUT, 0) {
            @Override
            public void onStored(long sequence) {
                throw new IllegalStateException("the store is gone");
            }
        };
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .build()
                        .on(transport)
                        .with(loops)
                        .from(source)
                        .onOutput(in -> {})
                        .onFailure(cause -> {})
                        .start()) {
            loops.turn();
            assertThat(running.failure().orElseThrow()).hasMessageContaining("the store is gone");
        }
        assertThat(source.calls).last().asString().startsWith("close");
    }

    @Test
    void eachPartitionHasASourceOfItsOwn() {
        Set<String> seen = new ConcurrentSkipListSet<>();
        class Telling implements Source {
            @Override
            public void onStart(SourceContext context) {
                seen.add(context.chain() + " " + context.instance() + " " + context.partition() + " of "
                        + context.partitions() + " " + context.topic());
            }

            @Override
            public int onTick(Outlet out) {
                return 0;
            }
        }
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("c")
                        .build()
                        .on(transport)
                        .with(loops)
                        .fromEach(Telling::new)
                        .partitions(2)
                        .start()) {
            assertThat(running.failure()).isEmpty();
        }
        assertThat(seen).containsExactly("c 0 0 of 2 c-0@0", "c 0 1 of 2 c-0@1");
    }

    @Test
    void lastServiceHoldsOutputsUntilReleased() {
        long[] holding = {1};
        int[] closed = {0};
        class Holding implements TickingService {
            private ServiceContext context;

            @Override
            public boolean holdsInputs() {
                return true;
            }

            @Override
            public int maxOutputs() {
                return 0;
            }

            @Override
            public void onStart(ServiceContext given) {
                context = given;
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                received.add(in.sequence());
                context.holdFrom(holding[0]);
            }

            @Override
            public int onTick(Outlet out) {
                context.holdFrom(holding[0]);
                return 0;
            }

            @Override
            public void onClosed() {
                closed[0]++;
            }
        }
        runToTheEnd(Holding::new, 1);
        assertThat(received).containsExactly(1L);
        runToTheEnd(Holding::new, 3);
        assertThat(received).as("the first one was held").containsExactly(1L, 1L, 2L);
        holding[0] = Long.MAX_VALUE;
        runToTheEnd(Holding::new, 6);
        assertThat(received).containsExactly(1L, 1L, 2L, 1L, 2L, 3L);
        runToTheEnd(Holding::new, 7);
        assertThat(received).as("nothing was held").endsWith(3L, 4L);
        assertThat(closed[0]).isEqualTo(4);
    }

    private void runToTheEnd(Supplier<Service> end, int messages) {
        try (Loops loops = Loops.manual();
                RunningChain running = Chain.named("c")
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(end)
                        .start()) {
            running.inlet().send(new byte[8]);
            while (received.size() < messages) {
                loops.turn();
            }
        }
    }
}
