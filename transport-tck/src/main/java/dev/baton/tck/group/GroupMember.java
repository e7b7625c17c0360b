package dev.baton.tck.group;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A member of a group within this process: a transport, a loop and its assigned partitions. */
final class GroupMember implements AutoCloseable {
    static final String SERVICE = "work";

    private final Transport transport;
    private final Loops loops = Loops.cooperative(1);
    private final RunningChain partitions;
    private final List<PartitionChange> changes = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    GroupMember(Chain chain, String name, int count, Transport transport, Duration sessionTimeout) {
        this(chain, name, count, transport, sessionTimeout, change -> {});
    }

    GroupMember(
            Chain chain,
            String name,
            int count,
            Transport transport,
            Duration sessionTimeout,
            Consumer<PartitionChange> listener) {
        this.transport = transport;
        partitions = chain.on(transport)
                .with(loops)
                .only(SERVICE)
                .onFailure(failures::add)
                .partitions(count)
                .member(name)
                .sessionTimeout(sessionTimeout)
                .onPartition(change -> {
                    changes.add(change);
                    listener.accept(change);
                })
                .start();
    }

    /** Returns the chain of these tests: one service that forwards. */
    static Chain chain(String name) {
        return Chain.named(name)
                .then(SERVICE, () -> (in, out) -> out.forward(in))
                .build();
    }

    Set<Integer> held() {
        return partitions.held();
    }

    /** Returns the assignments and revocations of partitions, in order. */
    List<PartitionChange> changes() {
        return List.copyOf(changes);
    }

    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    RunningChain partitions() {
        return partitions;
    }

    /** Closes the member and keeps its partitions for the next member of its name. */
    void closeForRestart() {
        partitions.closeForRestart(Duration.ofSeconds(10));
        close();
    }

    @Override
    public void close() {
        partitions.close(Duration.ofSeconds(10));
        loops.close();
        transport.close();
    }
}
