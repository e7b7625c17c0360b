package dev.baton.tck.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.baton.Chain;
import dev.baton.ChainFailedException;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The contract on failures, each of which belongs to one writer or one reader: {@link TopicWriter#failure} and {@link TopicReader#failure}
 * report it, and nothing else of the connection fails, nor any other chain of the loop. The failures are those of writers and readers that
 * were replaced.
 */
public abstract class FailuresTck extends RivalsTck {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

    /** Called by the test of a transport. */
    protected FailuresTck() {}

    @Test
    void onlyAReplacedWriterReportsAFailure() {
        TopicProbe replaced = newTopic();
        replaced.write("a");
        replaced.awaitStored();
        TopicProbe other = neighbour(replaced);
        other.write("x");
        other.awaitStored();
        assertThat(replaced.writer().failure()).isNull();
        rival().writer();

        awaitReplaced(connectionOf(replaced), "writer", replaced.writer()::failure);
        assertContinues(other);
        assertThat(replaced.writer().failure()).as("the failure from then on").isInstanceOf(ReplacedException.class);
    }

    @Test
    void onlyAReplacedReaderReportsAFailure() {
        TopicProbe replaced = newTopic();
        replaced.write("1", "2", "3");
        replaced.awaitStored();
        replaced.take(1);
        TopicProbe other = neighbour(replaced);
        other.write("x");
        other.awaitStored();
        assertThat(replaced.reader().failure()).isNull();
        rival().reader();

        Recorder next = replaced.read(1);
        replaced.reader().acknowledge(next.lastPosition());
        awaitReplaced(connectionOf(replaced), "reader", replaced.reader()::failure);
        assertContinues(other);
        replaced.write("4");
        replaced.awaitStored();
    }

    @Test
    void aFailureStaysAfterTheClose() {
        TopicProbe replaced = newTopic();
        replaced.write("a");
        replaced.awaitStored();
        rival().writer();
        awaitReplaced(connectionOf(replaced), "writer", replaced.writer()::failure);

        replaced.writer().close();
        assertThat(replaced.writer().failure())
                .as("the failure of a closed writer")
                .isInstanceOf(ReplacedException.class);
    }

    @Test
    void onlyTheChainThatWasReplacedFails() {
        Chains chains = new Chains();
        try (Loops loops = Loops.cooperative(1);
                Loops rivalLoops = Loops.cooperative(1);
                RunningChain replaced = chains.start(name, transport, loops, chains.failure);
                RunningChain untouched = chains.start(chains.other, transport, loops, chains.otherFailure)) {
            chains.assertPasses(replaced);
            chains.assertPasses(untouched);
            try (RunningChain rival =
                    chains.start(name, closing(fixture.openAnother()), rivalLoops, new AtomicReference<>())) {
                chains.awaitFailure();
                chains.assertPasses(untouched);
                chains.assertThrowsTheReason(replaced);
                assertThat(rival.failure()).isEmpty();
            }
            assertThat(untouched.close(CLOSE_LIMIT))
                    .as("whether the other chain was drained")
                    .isTrue();
            assertThat(chains.otherFailure.get()).isNull();
        }
    }

    @Test
    void aReplacedInletThrowsTheReason() {
        Chains chains = new Chains();
        try (Loops loops = Loops.cooperative(1);
                RunningChain replaced = chains.start(name, transport, loops, chains.failure);
                RunningChain untouched = chains.start(chains.other, transport, loops, chains.otherFailure)) {
            chains.assertPasses(replaced);
            chains.assertPasses(untouched);
            rivalOfInlet();

            AtomicReference<Throwable> thrown = new AtomicReference<>();
            new Turns(within()).until("an exception of an inlet whose writer was replaced", () -> {
                thrown.set(catchThrowable(() -> replaced.inlet().send(new byte[1])));
                return thrown.get() != null;
            });
            assertThat(thrown.get())
                    .isInstanceOf(ChainFailedException.class)
                    .hasCauseInstanceOf(ReplacedException.class);
            chains.awaitFailure();
            chains.assertPasses(untouched);
        }
    }

    @Test
    void anIdleInletReportsItsFailure() {
        Chains chains = new Chains();
        try (Loops loops = Loops.cooperative(1);
                RunningChain replaced = chains.start(name, transport, loops, chains.failure)) {
            chains.assertPasses(replaced);
            assumeFalse(transport.guarantees().contains(Guarantee.IMMEDIATE), "an idle inlet has no turns");
            rivalOfInlet();

            chains.awaitFailure();
            chains.assertThrowsTheReason(replaced);
        }
    }

    /** Creates another topic on the connection of a probe. */
    private TopicProbe neighbour(TopicProbe probe) {
        String other = fixture.newTopic();
        transport.createTopics(List.of(other));
        return probe(connectionOf(probe), other);
    }

    private void rivalOfInlet() {
        probe(connect(closing(fixture.openAnother())), chain(name).topic(0, 0)).writer();
    }

    private Duration within() {
        Duration within = fixture.replacedWithin();
        return within.compareTo(fixture.longestWait()) < 0 ? within : fixture.longestWait();
    }

    /** Takes turns, none of which may throw, until the failure is reported. */
    private void awaitReplaced(Connection connection, String what, Supplier<TransportException> failure) {
        new Turns(within(), connection).until("the failure of a " + what + " that was replaced", () -> {
            assertTurns(connection);
            return failure.get() != null;
        });
        assertThat(failure.get())
                .as("the failure of a %s that was replaced", what)
                .isInstanceOf(ReplacedException.class)
                .hasMessageContaining(name);
        assertTurns(connection);
    }

    private void assertTurns(Connection connection) {
        Throwable thrown = catchThrowable(connection::doWork);
        assertThat(thrown)
                .as("exception of Connection.doWork, which throws only when the link is gone, though only one writer or"
                        + " reader was replaced")
                .isNull();
    }

    private void assertContinues(TopicProbe other) {
        assertThat(other.writer().failure()).as("the failure of another writer").isNull();
        other.write("y");
        other.awaitStored();
        assertThat(other.read(2).texts()).containsExactly("x", "y");
        assertThat(other.reader().failure()).as("the failure of another reader").isNull();
        assertTurns(connectionOf(other));
        assertThat(other.reader().poll((frame, position) -> FrameHandler.Verdict.DONE, 1))
                .isZero();
    }

    private static Chain chain(String name) {
        return Chain.named(name)
                .then("s1", () -> (in, to) -> to.forward(in))
                .then("s2", () -> (in, to) -> to.forward(in))
                .build();
    }

    /** Two chains of a test, and their failures. */
    private final class Chains {
        private final String other = fixture.newTopic();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicReference<Throwable> otherFailure = new AtomicReference<>();
        private final AtomicLong received = new AtomicLong();

        RunningChain start(String name, Transport over, Loops loops, AtomicReference<Throwable> failed) {
            return chain(name)
                    .on(over)
                    .with(loops)
                    .onFailure(cause -> failed.compareAndSet(null, cause))
                    .onOutput(in -> received.incrementAndGet())
                    .start();
        }

        /** Sends a message and awaits its output. */
        void assertPasses(RunningChain running) {
            long before = received.get();
            running.inlet().send(new byte[1]);
            new Turns(limit()).until("a message that passes a chain beside one that was replaced", () -> {
                assertThat(running.failure())
                        .as("the failure of a chain that was not replaced")
                        .isEmpty();
                return received.get() > before;
            });
        }

        void awaitFailure() {
            new Turns(within()).until("the failure of a chain that was replaced", () -> failure.get() != null);
            assertThat(failure.get())
                    .as("the failure of a chain that was replaced")
                    .isInstanceOf(ReplacedException.class);
            assertThat(otherFailure.get())
                    .as("the failure of another chain of the loop")
                    .isNull();
        }

        void assertThrowsTheReason(RunningChain replaced) {
            assertThatThrownBy(() -> replaced.inlet().send(new byte[1]), "an inlet of a chain that was replaced")
                    .isInstanceOf(ChainFailedException.class)
                    .hasCauseInstanceOf(ReplacedException.class);
        }
    }
}
