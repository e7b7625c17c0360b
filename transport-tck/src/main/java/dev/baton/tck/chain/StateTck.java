package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import dev.baton.ValueCodec;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicWriter;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import dev.baton.state.UnknownSnapshotVersionException;
import dev.baton.status.PartStatus.SnapshotStatus;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract on services with state over a durable transport: snapshots survive, and so do the inputs after them. */
public abstract class StateTck extends WholeChainTck {
    private static final int BEGIN = 0x5342;
    private static final int CHUNK = 0x5343;
    private static final int END = 0x5345;
    private static final int END_BYTES = 84;
    private static final int PARTITIONS = 2;

    private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
    private Supplier<Service> service = Total::new;
    private int version = 1;
    private int padding; // bytes of a state beyond its sum
    private ReplacedInput policy = ReplacedInput.REFUSE;
    private SnapshotPolicy snapshots = SnapshotPolicy.standard().orInputs(4);

    /** Called by the test of a transport. */
    protected StateTck() {}

    /** A service that sends the sum of all inputs at each one. */
    private final class Total implements StatefulService {
        private long sum;
        private int written; // bytes of padding

        @Override
        public void onMessage(Message in, Outlet out) {
            sum += in.getLong(0);
            out.claim(Long.BYTES).putLong(0, sum).commit(Long.BYTES);
        }

        @Override
        public int snapshotVersion() {
            return version;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            if (out.size() == 0) {
                out.putLong(sum);
                written = 0;
            }
            while (written < padding && out.hasTime()) {
                out.putByte((byte) written++);
            }
            return written == padding;
        }

        @Override
        public void restoreState(SnapshotInput in, int saved) {
            if (saved != version) {
                throw new UnknownSnapshotVersionException(saved, version);
            }
            sum = in.getLong();
            int read = 0;
            while (in.remaining() > 0) {
                assertThat(in.getByte()).isEqualTo((byte) read++);
            }
        }
    }

    /** A keyed service that sends the sum of all inputs at each one, and keeps them all. */
    private static final class KeyedTotal implements KeyedService {
        private static final ValueCodec<Long> NUMBER = ValueCodec.longs(0);

        private KeyedState<Long, Long> numbers;

        @Override
        public void onStart(ServiceContext context) {
            numbers = context.state("numbers", NUMBER, NUMBER);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            numbers.put(in.getLong(0), in.getLong(0));
            long[] sum = new long[1];
            numbers.forEach((key, value) -> sum[0] += value);
            out.claim(Long.BYTES).putLong(0, sum[0]).commit(Long.BYTES);
        }
    }

    @Test
    void keyedStateOfChangesSurvivesRestarts() {
        requireDurable();
        service = KeyedTotal::new;
        run(1, 10);
        reopen();
        run(11, 13);
        append(BEGIN, CHUNK);
        run(14, 30);
        reopen();
        run(31, 32);
        assertTotals(32);
    }

    @Test
    void volatileTransportIsRefusedAtTheStart() {
        assumeTrue(!transport.guarantees().contains(Guarantee.DURABLE), "for transports that keep nothing");
        assertThatThrownBy(() -> run(1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("durable");
    }

    @Test
    void stateSurvivesARestartOfTheTransport() {
        requireDurable();
        run(1, 10);
        reopen();
        run(11, 20);
        reopen();
        run(21, 22);
        assertTotals(22);
    }

    @Test
    void stateOfManyChunksSurvivesARestart() {
        requireDurable();
        padding = 3 * Math.min(transport.maxPayload(), 64 << 10) + 5;
        run(1, 6);
        reopen();
        run(7, 8);
        assertTotals(8);
    }

    @Test
    void damagedSnapshotIsSkippedForTheOneBefore() {
        requireDurable();
        run(1, 6);
        append(BEGIN);
        run(7, 9);
        append(BEGIN, CHUNK);
        run(10, 11);
        append(BEGIN, CHUNK, END);
        run(12, 14);
        append(CHUNK, END);
        run(15, 15);
        assertTotals(15);
    }

    @Test
    void inputsOfTheSecondNewestSnapshotAreKept() {
        requireDurable();
        run(1, 3);
        assertThat(acknowledged(0)).as("inputs acknowledged with one snapshot").isLessThanOrEqualTo(0);
        run(4, 5);
        run(6, 9);
        long inputs = acknowledged(0);
        assertThat(inputs).as("inputs acknowledged").isBetween(3L, 8L);
        assertThat(transport.inspect(name + "-0.snapshots").acknowledged().get("s1"))
                .as("frames of old snapshots that may be removed")
                .isPositive();
    }

    @Test
    void unknownStateVersionStopsTheChain() {
        requireDurable();
        run(1, 3);
        version = 2;
        assertThat(failure()).hasMessageContaining("version 1").hasMessageContaining("version 2");
        version = 1;
        run(4, 5);
        assertTotals(5);
    }

    @Test
    void deletedSnapshotsAreRefusedUnlessAllowed() {
        requireDurable();
        run(1, 3);
        run(4, 5);
        run(6, 6);
        transport.deleteTopics(List.of(name + "-0.snapshots"));
        assertThat(failure())
                .hasMessageContaining(name + "-0.snapshots")
                .hasMessageContaining("no usable snapshot")
                .hasMessageContaining("startEmpty");
        snapshots = snapshots.startEmpty();
        received.clear();
        run(7, 8);
        assertThat(received).containsExactly(7L, 15L);
    }

    @Test
    void deletedInputTopicDiscardsItsState() {
        requireDurable();
        run(1, 3);
        transport.deleteTopics(List.of(name + "-0"));
        assertThat(failure()).hasMessageContaining(name + "-0").hasMessageContaining("deleted and created again");
        policy = ReplacedInput.HANDLE_ALL;
        received.clear();
        run(5, 6);
        assertThat(received).containsExactly(5L, 11L);
    }

    @Test
    void serviceWithStateRefusesAStartPosition() {
        requireDurable();
        run(1, 4);
        Chain again = Chain.named(name + "-again")
                .from(name + "-0")
                .then("s1", Total::new)
                .build();
        String consumer = name + "-again--s1";
        try (Loops loops = Loops.cooperative(1)) {
            assertThatThrownBy(() -> again.on(transport)
                            .with(loops)
                            .startAt(StartPosition.earliest())
                            .start())
                    .as("a start of a service with state at a position")
                    .hasMessageContainingAll("s1", "earliest");
        }
        assertThat(transport.inspect(name + "-0").acknowledged()).doesNotContainKey(consumer);
    }

    @Test
    void eachPartitionHasAStateOfItsOwn() {
        requireDurable();
        for (long value = 1; value <= 8; value++) {
            try (Loops loops = Loops.cooperative(1)) {
                RunningChain running = chain(loops).partitions(PARTITIONS).start();
                int partition = (int) (value % PARTITIONS);
                running.inlet(partition).send(payload(value));
                assertThat(running.close(limit())).isTrue();
            }
        }
        assertThat(received).containsExactly(1L, 2L, 4L, 6L, 9L, 12L, 16L, 20L);
    }

    @Test
    void statusTellsWhatWasSavedAndRestored() {
        requireDurable();
        run(1, 4);
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain(loops).start()) {
            new Turns(fixture.longestWait())
                    .until(
                            "the state",
                            "a state that was saved is restored",
                            () -> !status(running).isRestoring());
            SnapshotStatus status = status(running);
            assertThat(status.restoredInput()).isEqualTo(4);
            assertThat(status.restoredNanos()).isPositive();
            assertThat(status.bytes()).isEqualTo(Long.BYTES);
            assertThat(status.ageNanos()).isPositive();
            assertThat(status.isLate()).isFalse();
        }
    }

    private static SnapshotStatus status(RunningChain running) {
        return running.status().parts().get(0).snapshots();
    }

    private void requireDurable() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "keeps topics");
    }

    private void assertTotals(long last) {
        assertThat(received)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, last)
                        .map(n -> n * (n + 1) / 2)
                        .boxed()
                        .toList());
    }

    private long acknowledged(int topic) {
        return transport.inspect(name + "-" + topic).acknowledged().getOrDefault("s1", 0L);
    }

    private void reopen() {
        transport.close();
        transport = fixture.reopen();
    }

    /** Appends the frames of a process that ends within a snapshot, or whose bytes are altered. */
    private void append(int... types) {
        try (Connection connection = transport.connect()) {
            TopicWriter writer = connection.openWriter(name + "-0.snapshots");
            for (int type : types) {
                Frame frame = writer.claim(END_BYTES);
                frame.stamp(0, type, 1, 1, 1);
                int length = type == BEGIN ? 0 : END_BYTES;
                for (int i = 0; i < length; i++) {
                    frame.putByte(i, (byte) 1);
                }
                writer.commit(length);
            }
            writer.flush();
            new Turns(fixture.longestWait(), connection)
                    .until(
                            "frames stored",
                            "a flushed frame is stored in the end, or its loss is reported (TopicWriter.storedSequence)",
                            () -> writer.storedSequence() == writer.sequence());
            writer.close();
        }
    }

    /** Returns the failure of a run that has to fail. */
    private Throwable failure() {
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running;
            try {
                running = chain(loops).start();
            } catch (RuntimeException atStart) {
                return atStart;
            }
            new Turns(fixture.longestWait())
                    .until(
                            "a failure",
                            "a state that does not fit its input topic, or that the service does not know, stops the chain (TopicReader.identity)",
                            () -> running.failure().isPresent());
            running.close(Duration.ZERO);
            return running.failure().get();
        }
    }

    private void run(long from, long to) {
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain(loops).start()) {
            for (long value = from; value <= to; value++) {
                running.inlet().send(payload(value));
            }
            assertThat(running.close(limit())).as(running.failure().toString()).isTrue();
        }
    }

    private Deployment chain(Loops loops) {
        return Chain.named(name)
                .then("s1", service)
                .build()
                .on(transport)
                .with(loops)
                .snapshots(snapshots)
                .replacedInput(policy)
                .onFailure(failure -> {})
                .onOutput(in -> received.add(in.getLong(0)));
    }
}
