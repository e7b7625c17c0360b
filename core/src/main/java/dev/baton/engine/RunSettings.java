package dev.baton.engine;

import dev.baton.Deployment;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.ErrorPolicy;
import dev.baton.MessageInterceptor;
import dev.baton.RestartPolicy;
import dev.baton.Service;
import dev.baton.Source;
import dev.baton.engine.chain.GuardedListener;
import dev.baton.engine.inlet.OpenRequests;
import dev.baton.engine.loop.LoopPool;
import dev.baton.engine.message.Replies;
import dev.baton.partitions.Partitions;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.spi.StartPosition;
import dev.baton.state.SnapshotPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The options of a deployment, with the defaults of {@link Deployment}. A start uses a copy, so that later changes of the
 * deployment do not affect it. Confined to the thread of its deployment, or to the start that uses the copy.
 */
public final class RunSettings implements Cloneable {
    static final int DEFAULT_BATCH = 256;
    private static final int DEFAULT_HELD = 1 << 16;

    public Set<String> given = new TreeSet<>(); // names of the options that were set, to refuse those that do not apply
    public LoopPool loops; // null if not set, which the start refuses
    public boolean standby;
    public int instance;
    public Supplier<? extends Source> source; // null for none; called for each partition
    public boolean isOneSource;
    public Supplier<? extends Service> output; // null for none; called for each part that reads the last topic
    public ErrorPolicy errors = ErrorPolicy.stop();
    public Consumer<? super Throwable> onFailure; // null to log the failure
    public GuardedListener listener; // null for none
    public List<MessageInterceptor> interceptors = List.of(); // outermost last
    public Set<String> only; // null for all services
    public int batch = DEFAULT_BATCH;
    public Duration sendLimit = Duration.ofSeconds(10);
    public Duration openLimit = Duration.ofSeconds(60);
    public boolean isChecked;
    public boolean isDated;
    public boolean isTraced;
    public ReplacedInput replacedInput = ReplacedInput.REFUSE;
    public UnreadableFrames unreadable = UnreadableFrames.STOP;
    public int maxHeld = DEFAULT_HELD;
    public SnapshotPolicy snapshots = SnapshotPolicy.standard();
    public StartPosition startAt = StartPosition.stored();
    public String consumer; // consumer of the first part; null for the part's own
    public RestartPolicy restarts; // null for no restarts
    public Partitions partitions; // null for none
    public String member; // null if all partitions run in this process
    public Duration sessionTimeout = Duration.ofSeconds(6);
    public Duration revokeTimeout = Duration.ofSeconds(30);
    public Consumer<? super PartitionChange> onPartition = change -> {};

    public OpenRequests.Resends resends; // null if no requests are remembered
    public Replies replies = new Replies(); // of each start
    public boolean isPassive; // whether it reads for replies only

    /** Returns a copy of the options, which a start may change, with replies of its own. */
    public RunSettings copy() {
        try {
            RunSettings copy = (RunSettings) clone();
            copy.given = new TreeSet<>(given);
            copy.replies = new Replies();
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns the number of partitions; 0 for a chain without partitions. */
    int partitionCount() {
        return partitions == null ? 0 : partitions.count();
    }

    /** Throws if no loops are set, or if restarts are set and the loops have no threads of their own. */
    void checkLoops() {
        if (loops == null) {
            throw new IllegalStateException("no loops to run on; set them, for example with(Loops.cooperative(1))");
        }
        if (standby && restarts == null) {
            throw new IllegalArgumentException("standby takes over when the other process has ended, as a restart does:"
                    + " add restart(RestartPolicy.backoff(...))");
        }
        if (standby && partitions != null) {
            throw new IllegalArgumentException(
                    "partitions take no standby: their group assigns them; leave it out, and start one more member");
        }
        if (restarts != null && loops.isManual()) {
            throw new IllegalArgumentException("restarts run on another thread than the one that turns manual loops;"
                    + " use Loops.cooperative(1), for example");
        }
    }

    /**
     * Throws if an option was set that does not apply.
     *
     * @param what kind of run that does not support the options
     * @param inapplicable names of options
     */
    void refuse(String what, Set<String> inapplicable) {
        Set<String> refused = new TreeSet<>(given);
        refused.retainAll(inapplicable);
        if (!refused.isEmpty()) {
            throw new IllegalArgumentException(what + " takes no " + String.join(", ", refused) + "; leave it out");
        }
    }
}
