package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.writing.MergedTopic;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.PartStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * The inputs of a merge, each a {@link DutyCycle} of its own between one topic and the output that they share.
 *
 * <p>In each turn of the merge, every input takes a turn, beginning with the one after the last that was served, and may
 * use its share of the remaining room. Under back-pressure each input with messages is therefore served before another one
 * is served twice, and an input without messages does not reduce the share of the others. Confined to its loop.
 */
public final class MergePart extends Part {
    private final String name;
    private final ChainState state;
    private final MergedTopic merged;
    private final List<Part> inputs;
    private int next; // the input that the next turn begins with

    private MergePart(Pending from, List<Part> inputs) {
        super(from.state.environment(), from.drain());
        this.name = from.name;
        this.state = from.state;
        this.merged = from.merged;
        this.inputs = inputs;
    }

    /** A merge whose topics are not open yet. */
    public static final class Pending extends PendingPart {
        private final String name;
        private final ChainState state;
        private final MergedTopic merged;
        private final List<? extends PendingPart> inputs;

        /**
         * Combines the inputs of a merge.
         *
         * @param inputs inputs, in the order of their indices
         */
        public Pending(String name, MergedTopic merged, List<? extends PendingPart> inputs, ChainState state) {
            this.name = name;
            this.state = state;
            this.merged = merged;
            this.inputs = List.copyOf(inputs);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void begin(PendingOpens openings) {
            inputs.forEach(each -> each.begin(openings));
        }

        @Override
        public MergePart open(PendingOpens openings, TopicWriter feeder) {
            List<Part> opened = new ArrayList<>();
            try {
                inputs.forEach(each -> opened.add(each.open(openings, null)));
            } catch (Throwable failure) {
                opened.forEach(each -> Failures.after(failure, each::close));
                throw failure;
            }
            return new MergePart(this, List.copyOf(opened));
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** Returns null: its inputs report their failures in their own turns. */
    @Override
    public TransportException failure() {
        return null;
    }

    @Override
    public int doWork() {
        int work = 0;
        int begun = next;
        for (int turn = 0; turn < inputs.size(); turn++) {
            int index = (begun + turn) % inputs.size();
            Part input = inputs.get(index);
            long before = merged.writer().sequence();
            merged.shareWith(inputs.size() - turn);
            work += input.turn();
            if (merged.writer().sequence() != before) {
                next = (index + 1) % inputs.size();
            }
        }
        return work;
    }

    @Override
    public long callsEnded() {
        long sum = 0;
        for (int i = 0; i < inputs.size(); i++) {
            sum += inputs.get(i).callsEnded();
        }
        return sum;
    }

    @Override
    public long deadlineNanos() {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < inputs.size(); i++) {
            long deadline = inputs.get(i).deadlineNanos();
            if (deadline != Long.MAX_VALUE && (earliest == Long.MAX_VALUE || deadline - earliest < 0)) {
                earliest = deadline;
            }
        }
        return earliest;
    }

    @Override
    public TopicWriter writer() {
        return merged.writer();
    }

    @Override
    public long newestCommitNanos() {
        long newest = 0;
        for (int i = 0; i < inputs.size(); i++) {
            long commit = inputs.get(i).newestCommitNanos();
            newest = newest == 0 || commit != 0 && commit - newest > 0 ? commit : newest;
        }
        return newest;
    }

    @Override
    public boolean hasNoRoom() {
        return state.failure() == null && merged.writer().remainingCapacity() == 0;
    }

    @Override
    public boolean isDrained() {
        inputs.forEach(Part::checkDrained);
        return inputs.stream().allMatch(each -> each.drainedAt() != Upstream.NOT_YET);
    }

    @Override
    public PartStatus status() {
        return inputs.get(0).status();
    }

    @Override
    public List<PartStatus> statuses() {
        return inputs.stream().map(Part::status).toList();
    }

    @Override
    public boolean tryClose() {
        boolean areClosed = true;
        for (Part each : inputs) {
            areClosed &= each.tryClose();
        }
        return areClosed;
    }

    @Override
    public void close() {
        Failures.inOrder(inputs.stream().map(each -> (Runnable) each::close).toArray(Runnable[]::new));
    }
}
